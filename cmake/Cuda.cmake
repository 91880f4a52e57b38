# STRIDESCOPE_CUDA_INCLUDE: the folder with cuda.h and nvrtc.h; empty if there is none.
# Headers only: the program opens libcuda and libnvrtc at run time and links none of them.
# In this order: -DSTRIDESCOPE_CUDA_INCLUDE, the toolkit (CUDAToolkit_ROOT, CUDA_HOME, nvcc's own, /usr/local/cuda),
# the wheels that ./dev unpacks (STRIDESCOPE_CUDA_WHEELS).
set(STRIDESCOPE_CUDA_WHEELS "" CACHE PATH "the folder that ./dev unpacks CUDA's wheels into")

find_program(STRIDESCOPE_NVCC nvcc HINTS ENV CUDA_HOME PATH_SUFFIXES bin)
mark_as_advanced(STRIDESCOPE_NVCC)
set(nvcc_root "")
if(STRIDESCOPE_NVCC)
  file(REAL_PATH ${STRIDESCOPE_NVCC} nvcc_root)
  cmake_path(GET nvcc_root PARENT_PATH nvcc_root)
  cmake_path(GET nvcc_root PARENT_PATH nvcc_root)
endif()

find_path(STRIDESCOPE_CUDA_INCLUDE NAMES nvrtc.h NO_CACHE NO_DEFAULT_PATH
  DOC "CUDA's headers" PATH_SUFFIXES include
  PATHS ${CUDAToolkit_ROOT} ENV CUDA_HOME ${nvcc_root} /usr/local/cuda ${STRIDESCOPE_CUDA_WHEELS})
if(NOT EXISTS "${STRIDESCOPE_CUDA_INCLUDE}/cuda.h")
  set(STRIDESCOPE_CUDA_INCLUDE "")
  message(STATUS "CUDA's headers: not found; building without the GPU engine")
else()
  message(STATUS "CUDA's headers: ${STRIDESCOPE_CUDA_INCLUDE}")
endif()

# CUPTI's headers must come from a release that has the range profiler (12.6); a toolkit may have them in a
# separate folder.
find_path(STRIDESCOPE_CUPTI_INCLUDE NAMES cupti_range_profiler.h NO_CACHE NO_DEFAULT_PATH
  DOC "CUPTI's headers" PATHS ${STRIDESCOPE_CUDA_INCLUDE} ${STRIDESCOPE_CUDA_INCLUDE}/../extras/CUPTI/include)
if(NOT STRIDESCOPE_CUDA_INCLUDE OR NOT EXISTS "${STRIDESCOPE_CUPTI_INCLUDE}/cupti_range_profiler.h")
  set(STRIDESCOPE_CUPTI_INCLUDE "")
  message(STATUS "CUPTI's headers: not found; building without hardware counters")
endif()

# The headers as a target, empty where there are none.
add_library(stridescope_cuda_headers INTERFACE)
if(STRIDESCOPE_CUDA_INCLUDE)
  target_include_directories(stridescope_cuda_headers SYSTEM INTERFACE ${STRIDESCOPE_CUDA_INCLUDE}
                             ${STRIDESCOPE_CUPTI_INCLUDE})
endif()
target_link_libraries(stridescope_cuda_headers INTERFACE ${CMAKE_DL_LIBS})

# For what nvcc compiles: CUB and Thrust, and kernels to be set against ours. Nothing links libcuda: a program with
# CUDA's static runtime starts on a machine without a driver.
find_library(STRIDESCOPE_CUDA_RUNTIME cudart_static NO_DEFAULT_PATH
  HINTS ${STRIDESCOPE_CUDA_INCLUDE}/../lib64 ${STRIDESCOPE_CUDA_INCLUDE}/../lib)
mark_as_advanced(STRIDESCOPE_CUDA_RUNTIME)
set(STRIDESCOPE_HAS_CUDA_COMPILER OFF)
if(STRIDESCOPE_NVCC AND STRIDESCOPE_CUDA_INCLUDE AND STRIDESCOPE_CUDA_RUNTIME)
  set(STRIDESCOPE_HAS_CUDA_COMPILER ON)
endif()

# stridescope_cuda_object(VARIABLE SOURCE [HEADERS...]): VARIABLE names the object file of a .cu file of this folder.
# Machine code for the GPUs that the figures are from, and PTX for all others: every further one would cost a quarter
# of a minute of compiling.
function(stridescope_cuda_object variable source)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${source}.o)
  set(headers ${ARGN})
  list(TRANSFORM headers PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${STRIDESCOPE_NVCC} -std=c++20 -O3 -DNDEBUG -ccbin ${CMAKE_CXX_COMPILER}
            -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=sm_90
            -I ${PROJECT_SOURCE_DIR}/app -Xcompiler -Wall,-Wextra -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${headers}
    COMMENT "Compiling ${source} with nvcc" VERBATIM)
  # It needs none of what its library needs. A target of its own says so: Ninja then starts it at once.
  cmake_path(GET source STEM name)
  add_custom_target(stridescope_cuda_${name} DEPENDS ${object})
  set(${variable} ${object} PARENT_SCOPE)
endfunction()
