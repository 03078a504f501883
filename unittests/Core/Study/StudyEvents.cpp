//===- StudyEvents.cpp - Event and streaming sets of the studies ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"

using namespace gpucost;

template <typename Array>
static double &slot(Array &array, InstructionClass kind) {
  return array[static_cast<unsigned>(kind)];
}

StreamingCoefficients study::streaming() {
  using Class = InstructionClass;
  StreamingCoefficients c;
  c.dramEfficiency = 0.92;
  c.l2Fraction = 0.44;
  c.l2BytesPerClock = 13.5;
  c.issueScale = 1.5;
  c.issueWidth = 128;
  c.operatorFlops = 128;
  c.operatorSpecialOps = 16;
  c.broadcastSlots = 90;
  c.latency = Seconds(1.5e-6);
  c.softmaxRow0 = 30;
  c.softmaxRow1 = 21;
  c.normRow0 = 370;
  c.normRow1 = 280;
  for (Class kind : {Class::Add, Class::Mul, Class::Relu, Class::Copy})
    slot(c.issueSlots, kind) = 40;
  slot(c.issueSlots, Class::Div) = 45;
  for (Class kind : {Class::Gelu, Class::Tanh, Class::Norm})
    slot(c.issueSlots, kind) = 60;
  slot(c.issueSlots, Class::Softmax) = 80;
  slot(c.issueSlots, Class::DepthwiseConv) = 6;
  return c;
}

InstructionCounts study::instructions() {
  using Class = InstructionClass;
  InstructionCounts c;
  c.softmaxScale = c.normScale = 1;
  slot(c.perElement, Class::Add) = 6;
  slot(c.perElement, Class::Mul) = 5;
  slot(c.perElement, Class::Copy) = 3;
  slot(c.perElement, Class::Gelu) = 30;
  slot(c.perElement, Class::Softmax) = 16;
  slot(c.perElement, Class::Norm) = 20;
  slot(c.perElement, Class::Reduce) = 6;
  c.strided = 14.01;
  c.softmaxWide = 24;
  c.attentionScore = 3;
  c.depthwiseTap = 6;
  c.softmaxScale = 1.0264;
  c.normScale = 1.1289;
  return c;
}

PowerCoefficients study::power() {
  PowerCoefficients c; // fitted only at 900 MHz
  c.perTensorFlop = JoulesPerEvent(0.7036e-12);
  c.tf32Energy = 2;
  c.eightBitEnergy = 0.5;
  c.genericMax = 1;
  c.perFp32Flop = JoulesPerEvent(6.7815e-12);
  c.perInstruction = JoulesPerEvent(19.154e-12);
  c.perDramByte = JoulesPerEvent(55.55e-12);
  c.perSmCycle = JoulesPerEvent(293.7e-12);
  c.voltageExponent = 2;
  c.referenceClock = Hertz(900e6);
  c.idleBase = Watts(32.02);
  c.idleVoltage = Watts(10.93);
  c.idleClock = Watts(5.01);
  c.voltage = {{Hertz(510e6), Volts(0.69375)},  {Hertz(1020e6), Volts(0.69375)},
               {Hertz(1050e6), Volts(0.70625)}, {Hertz(1140e6), Volts(0.73125)},
               {Hertz(1230e6), Volts(0.775)},   {Hertz(1320e6), Volts(0.83125)},
               {Hertz(1410e6), Volts(0.89375)}};
  c.l2Fraction = 0.63894;
  return c;
}
