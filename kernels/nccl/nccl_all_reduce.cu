// Each device has an array of its own, and gets the combination
// of all arrays. There is no kernel to write: the program calls
// NCCL once for each device,
//
//   ncclAllReduce(in, out, n, type, operation, comm, stream);
//
// and NCCL chooses between rings, trees and the switch's own
// additions, by the size and by what connects the devices.
