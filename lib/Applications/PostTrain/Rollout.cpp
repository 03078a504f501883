//===- Rollout.cpp - A batch of answers on one engine ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/PostTrain/Rollout.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

using namespace gpucost;
using namespace gpucost::posttrain;

static int64_t quantileOf(const LengthShares &lengths, double probability) {
  double below = 0;
  for (const auto &[tokens, share] : lengths) {
    below += share;
    if (below >= probability)
      return tokens;
  }
  return lengths.back().first;
}

std::vector<int64_t> posttrain::drawLengths(const LengthShares &lengths,
                                            int64_t count, int64_t all,
                                            double spread) {
  constexpr double middle = 0.5;
  std::vector<int64_t> drawn;
  drawn.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    drawn.push_back(quantileOf(lengths, (static_cast<double>(i) + middle) /
                                            static_cast<double>(count)));
  drawn.back() = std::max(
      drawn.back(), quantileOf(lengths, 1 - middle / static_cast<double>(all)));
  std::vector<size_t> order(drawn.size());
  std::iota(order.begin(), order.end(), size_t(0));
  auto placeOf = [&](size_t i) {
    return std::fmod(static_cast<double>(i + 1) * spread, 1.0);
  };
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return placeOf(a) < placeOf(b); });
  std::vector<int64_t> shuffled;
  shuffled.reserve(drawn.size());
  for (size_t i : order)
    shuffled.push_back(drawn[i]);
  return shuffled;
}

Expected<StepPart> posttrain::sumDecodes(const RolloutSteps &step,
                                         int64_t decodes, int64_t context,
                                         int64_t count) {
  if (count <= 0)
    return StepPart();
  auto first = step(decodes, context, {});
  if (!first || count == 1)
    return first;
  // The rule takes an odd number of steps.
  int64_t odd = count - (count % 2 == 0);
  StepPart sum = *first;
  if (odd > 1) {
    auto middle = step(decodes, context + (odd - 1) / 2, {}),
         last = step(decodes, context + odd - 1, {});
    if (!middle || !last)
      return !middle ? middle : last;
    constexpr double inner = 4, weights = 6;
    double each = static_cast<double>(odd) / weights;
    sum = {(first->time + middle->time * inner + last->time) * each,
           (first->energy + middle->energy * inner + last->energy) * each};
  }
  if (odd == count)
    return sum;
  auto last = step(decodes, context + count - 1, {});
  if (!last)
    return last;
  return StepPart{sum.time + last->time, sum.energy + last->energy};
}

namespace {

class Player {
public:
  Player(const RolloutTraffic &traffic, const RolloutSteps &step)
      : traffic(traffic), step(step) {}
  Expected<RolloutRun> play();

private:
  struct Answer {
    int64_t promptLeft = 0, done = 0; ///< tokens of its prompt
    int64_t input = 0, output = 0;
    size_t prompt = 0;
    double reserved = 0; ///< bytes
  };
  struct Running {
    int64_t end;    ///< number of the step after its last one
    int64_t tokens; ///< at its end
    size_t prompt;
    double reserved;
    bool operator>(const Running &other) const { return end > other.end; }
  };

  Answer answerAt(size_t index) const;
  Error admit();
  /// One step with the prompts of admitted answers.
  Error runPrompts();
  /// Decode steps until an answer ends.
  Error runDecodes();
  void start(const Answer &answer);
  void endAnswers();
  int64_t meanContext() const {
    return std::max<int64_t>(contexts / static_cast<int64_t>(running.size()),
                             1);
  }
  void add(const StepPart &part);

  const RolloutTraffic &traffic;
  const RolloutSteps &step;
  RolloutRun run;
  double meanOutput = 0;
  size_t next = 0;
  std::vector<Answer> admitted; ///< whose first token is missing
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  int64_t now = 0;      ///< steps of running answers
  int64_t contexts = 0; ///< tokens of the running answers
  /// Of each prompt the running answers; tokens of prompts that the cache holds
  /// once, but `contexts` for each answer.
  std::vector<int64_t> users;
  int64_t repeated = 0;
  double reserved = 0;
  bool isTail = false;
};

} // namespace

void Player::add(const StepPart &part) {
  run.all.time += part.time;
  run.all.energy += part.energy;
  if (isTail)
    run.tail += part.time;
}

Player::Answer Player::answerAt(size_t index) const {
  auto samples = static_cast<size_t>(traffic.samples);
  Answer answer;
  answer.prompt = index / samples;
  answer.input = traffic.inputs[answer.prompt];
  answer.output = traffic.outputs[index];
  bool isFirst = !traffic.sharesPrompts || index % samples == 0;
  answer.promptLeft = isFirst ? answer.input : 0;
  double tokens =
      (isFirst ? static_cast<double>(answer.input) : 0.0) + meanOutput;
  answer.reserved = traffic.bytesPerAnswer + traffic.bytesPerToken * tokens;
  return answer;
}

Error Player::admit() {
  auto count = [&] { return running.size() + admitted.size(); };
  while (next < traffic.outputs.size() &&
         count() < static_cast<size_t>(traffic.slots)) {
    Answer answer = answerAt(next);
    if (reserved + answer.reserved > traffic.cacheBytes) {
      if (count() > 0)
        break;
      return {"the cache of one answer does not fit"};
    }
    reserved += answer.reserved;
    admitted.push_back(answer);
    ++next;
  }
  run.mostRunning = std::max(run.mostRunning, static_cast<int64_t>(count()));
  // The last answers are left: nothing replaces those that end.
  isTail = next == traffic.outputs.size() && admitted.empty() &&
           2 * running.size() < static_cast<size_t>(run.mostRunning);
  return {};
}

void Player::start(const Answer &answer) {
  int64_t left = answer.output - 1;
  run.outputTokens += answer.output;
  if (left == 0) {
    reserved -= answer.reserved;
    return;
  }
  running.push({now + left, answer.input + answer.output - 1, answer.prompt,
                answer.reserved});
  contexts += answer.input;
  if (traffic.sharesPrompts && users[answer.prompt]++ > 0)
    repeated += answer.input;
}

void Player::endAnswers() {
  while (!running.empty() && running.top().end <= now) {
    const Running &done = running.top();
    contexts -= done.tokens;
    reserved -= done.reserved;
    if (traffic.sharesPrompts && --users[done.prompt] > 0)
      repeated -= traffic.inputs[done.prompt];
    running.pop();
  }
}

Error Player::runPrompts() {
  auto decodes = static_cast<int64_t>(running.size());
  int64_t joined = 0, tokens = 0;
  int64_t room = traffic.stepTokens - (traffic.mixes ? decodes : 0);
  PromptPart prompts;
  size_t complete = 0;
  // Other answers to the same prompts find the prompt in the cache and compute
  // its last token like a decode.
  for (Answer &answer : admitted) {
    if (answer.promptLeft == 0) {
      ++joined;
      ++complete;
      continue;
    }
    int64_t part = std::min(answer.promptLeft, room - tokens);
    if (tokens == 0)
      part = std::max<int64_t>(part, 1);
    // Other prompts are not divided behind the first one.
    if (part <= 0 || (prompts.count > 0 && part < answer.promptLeft))
      break;
    prompts.past += answer.done;
    ++prompts.count;
    tokens += part;
    answer.promptLeft -= part;
    answer.done += part;
    if (answer.promptLeft > 0)
      break;
    ++complete;
  }
  run.promptTokens += tokens;
  if (prompts.count > 0) {
    prompts.query = std::max<int64_t>(tokens / prompts.count, 1);
    prompts.past /= prompts.count;
  }
  bool together = traffic.mixes || decodes == 0;
  int64_t inputs = 0;
  for (size_t i = 0; i < complete; ++i)
    inputs += admitted[i].input;
  int64_t one = (together ? decodes : 0) + joined;
  int64_t context = complete > 0 ? inputs / static_cast<int64_t>(complete) : 1;
  if (together && decodes > 0)
    context = (contexts + joined * context) / (decodes + joined);
  auto cost = step(one, std::max<int64_t>(context, 1), prompts);
  if (!cost)
    return cost.error();
  add(*cost);
  ++run.steps;
  if (together && decodes > 0) {
    ++now;
    contexts += decodes;
    endAnswers();
  }
  for (size_t i = 0; i < complete; ++i)
    start(admitted[i]);
  admitted.erase(admitted.begin(),
                 admitted.begin() + static_cast<ptrdiff_t>(complete));
  return {};
}

Error Player::runDecodes() {
  auto decodes = static_cast<int64_t>(running.size());
  int64_t count = running.top().end - now;
  auto sum = sumDecodes(step, decodes, meanContext(), count);
  if (!sum)
    return sum.error();
  add(*sum);
  run.steps += count;
  now += count;
  contexts += decodes * count;
  run.mostBytes = std::max(
      run.mostBytes,
      traffic.bytesPerToken * static_cast<double>(contexts - repeated) +
          traffic.bytesPerAnswer * static_cast<double>(decodes));
  endAnswers();
  return {};
}

Expected<RolloutRun> Player::play() {
  double outputs = 0;
  for (int64_t each : traffic.outputs)
    outputs += static_cast<double>(each);
  meanOutput = outputs / static_cast<double>(traffic.outputs.size());
  users.resize(traffic.inputs.size());
  while (next < traffic.outputs.size() || !admitted.empty() ||
         !running.empty()) {
    Error error = admit();
    if (error.message.empty())
      error = admitted.empty() ? runDecodes() : runPrompts();
    if (!error.message.empty())
      return fail(error);
  }
  return run;
}

Expected<RolloutRun> posttrain::playRollout(const RolloutTraffic &traffic,
                                            const RolloutSteps &step) {
  return Player(traffic, step).play();
}
