# One CMake target a folder. A target's headers are reached through a link farm of its own
# (BUILD/include/TARGET/PREFIX -> the folder), so that the header of a folder which no target on the link list
# brings along does not compile.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(stridescope_options INTERFACE)
target_compile_features(stridescope_options INTERFACE cxx_std_20)
target_compile_options(stridescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-math-errno
  "SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/older_symbols.h")
# GCC 12 warns of an overlap inside std::string's operator+ that cannot happen (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(stridescope_options INTERFACE -Wno-restrict)
endif()
if(STRIDESCOPE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(STRIDESCOPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# stridescope_library(NAME PREFIX include/prefix SOURCES ... [PUBLIC targets...] [PRIVATE targets...])
# Without SOURCES it is header-only.
function(stridescope_library name)
  cmake_parse_arguments(arg "" "PREFIX" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(farm ${CMAKE_BINARY_DIR}/include/${name})
  get_filename_component(parent ${farm}/${arg_PREFIX} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  if(NOT EXISTS ${farm}/${arg_PREFIX})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${farm}/${arg_PREFIX} SYMBOLIC)
  endif()
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_include_directories(${name} PUBLIC ${farm})
    target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} stridescope_options)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${farm})
    target_link_libraries(${name} INTERFACE ${arg_PUBLIC})
  endif()
endfunction()

# stridescope_test(NAME SOURCES ... LINK targets...): a GoogleTest program; each test is one of CTest's.
function(stridescope_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} stridescope_options GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "SKIPPED")
endfunction()

# stridescope_benchmark(NAME SOURCES ... LINK targets...): a Google Benchmark program, built and run by ./dev bench alone.
# NAME begins with bench_.
function(stridescope_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} stridescope_options benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
endfunction()

# What a program knows of its own build: STRIDESCOPE_VERSION, and STRIDESCOPE_SOURCE_DIRECTORY, where the assets and
# shaders are found when the program runs from its build folder (installed: ../share/stridescope beside the program).
add_library(stridescope_build_info INTERFACE)
target_compile_definitions(stridescope_build_info INTERFACE
  STRIDESCOPE_VERSION="${PROJECT_VERSION}"
  STRIDESCOPE_SOURCE_DIRECTORY="${PROJECT_SOURCE_DIR}")
