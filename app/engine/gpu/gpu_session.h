// All that is needed to compile for one GPU and to run on it.
#pragma once

#include <memory>
#include <string>

#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_engine.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::engine::gpu {

// A kernel as text, for the compiler. `preamble` (T, identity, combine) stands before `text`.
struct KernelText {
  std::string fileName;  // "sequential.cu", for messages
  std::string preamble;
  std::string text;
  std::string kernel;  // the __global__ function's name
};

// The catalogue's text for an experiment whose variant is in the catalogue.
KernelText kernelTextOf(const model::Experiment& experiment);

class KernelCompiler;
struct CompiledKernel;  // compiler.h
struct Program;

struct GpuSession {
  std::unique_ptr<GpuDevice> device;
  std::unique_ptr<KernelCompiler> compiler;
  std::string driverRelease;  // "580.159"; "CUDA 13.0" where the driver does not tell

  GpuSession();
  GpuSession(GpuSession&& other) noexcept;
  GpuSession& operator=(GpuSession&& other) noexcept;
  ~GpuSession();

  // Loads both libraries and finds the GPU; makes no context yet.
  static Result<GpuSession> open(unsigned index, const GpuPlaces& places, ContextKind kind);

  std::string compilerName() const;  // "NVRTC 13.0"
  // Who executes, at this moment. The device has been opened.
  model::Executor executor() const;

  // Any program, for this GPU (KernelCompiler::compiled).
  Result<CompiledKernel> compile(Program program);

  // The text compiled and loaded. Within a GpuDevice::Entered.
  Result<std::unique_ptr<GpuModule>> load(const KernelText& kernel, TimedForm form);
};

}  // namespace stridescope::engine::gpu
