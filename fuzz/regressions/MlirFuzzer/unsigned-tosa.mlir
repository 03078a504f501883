
func.func @tosa(%x: tensor<?x?xui8>) -> tensor<?x?xui8> {
  %0 = tosa.abs %x : (tensor<?x?xui8>) -> tensor<?x?xui8>
  return %0 : tensor<?x?xui8>
}
