find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Depend mode runs no preprocessor of its own. Without the rest ccache passes on every file that takes a compiled
  # header (its manual, "Precompiled headers").
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# GCC collects no garbage before it has a GB of it: a batch of tests takes a tenth less time, and 0.1 GB more memory than
# its 1.3 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()

add_library(stridescope_options INTERFACE)
target_compile_features(stridescope_options INTERFACE cxx_std_20)
target_compile_options(stridescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-math-errno
  # Compiled headers hold it, and must be included first.
  "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:STRIDESCOPE_COMPILED_HEADERS>>>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/older_symbols.h>")
# GCC 12 warns of an overlap inside std::string's operator+ that cannot happen (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(stridescope_options INTERFACE -Wno-restrict)
  # The same, where std::string comes out of a compiled header; the sanitized build, without these, warns.
  target_compile_options(stridescope_options INTERFACE
    "$<$<BOOL:$<TARGET_PROPERTY:STRIDESCOPE_COMPILED_HEADERS>>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endif()
# What a test does is quick; compiling it is not. UndefinedBehaviorSanitizer is for the program: in the tests themselves it
# would double the time that they take to compile.
add_library(stridescope_test_options INTERFACE)
target_compile_options(stridescope_test_options INTERFACE -O0 $<$<BOOL:${STRIDESCOPE_SANITIZE}>:-fno-sanitize=undefined>)

if(STRIDESCOPE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # A check at every access doubles the time that GCC takes. AddressSanitizer notices what the first and the last would;
  # Clang, which compiles the fuzz targets, has all three.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fno-sanitize=null,alignment,object-size)
    # GCC warns of variables "maybe uninitialized" inside std::regex, which its own checks make look so (GCC bug 105562).
    # The release build, without these, warns of real ones.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=address,undefined)
endif()
if(STRIDESCOPE_THREADS)
  add_compile_options(-fsanitize=thread -Wno-tsan)  # GCC 12 warns of atomic_thread_fence(), which it does not follow
  add_link_options(-fsanitize=thread)
endif()
if(STRIDESCOPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

option(STRIDESCOPE_COMPILED_HEADERS "Compile the headers that most files include once" ON)
option(STRIDESCOPE_BATCHES "Compile several files of a target at a time" ON)

# stridescope_headers(NAME HEADER [TARGET]): a header that other targets take as a compiled one, as TARGET compiles.
function(stridescope_headers name header)
  if(NOT STRIDESCOPE_COMPILED_HEADERS)
    return()
  endif()
  add_library(${name} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/headers.cpp)
  target_link_libraries(${name} PRIVATE stridescope_options ${ARGN})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_precompile_headers(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${header})
  set_target_properties(${name} PROPERTIES STRIDESCOPE_COMPILED_HEADERS ON)
endfunction()

# stridescope_use_headers(TARGET NAME): not where a target has options of its own for the optimizer.
function(stridescope_use_headers target name)
  if(STRIDESCOPE_COMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${name})
    set_target_properties(${target} PROPERTIES STRIDESCOPE_COMPILED_HEADERS ON)
  endif()
endfunction()

stridescope_headers(stridescope_common_headers common_headers.h)

# stridescope_batch(TARGET SIZE FILES...): the target's files are compiled SIZE at a time, FILES alone: each takes long by
# itself, or has a name for something else than another file.
function(stridescope_batch target size)
  if(STRIDESCOPE_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# stridescope_module(FOLDER [HEADERS public headers...] [SOURCES ...] [PUBLIC modules...] [PRIVATE modules...]
#   [NOT_IN_PAGE files...] [ALONE files...])
# A folder below app/ or kernels/ as a library of its own: stridescope_engine_gpu for engine/gpu, with every .cpp of the
# folder unless SOURCES says which. Only HEADERS can be included from outside, as "FOLDER/header.h": they are reached
# through a folder of links, and the rest through a second one that the module alone has (and its tests: INSIDE).
# PUBLIC are the modules that the public headers include; PRIVATE all others. This is the only list of what may include
# what; tests/modules proves that it holds. OWN_OPTIONS: it has options of its own for the optimizer. HEADERS_ONLY: it
# has no sources. COMPILED: headers that most of its files include and that are worth compiling once for it, beside the
# common ones. ALONE: see stridescope_batch. COLD: nobody waits for what it computes, so that it is compiled with -O1,
# which takes a quarter less time. In the browser edition NAME_web.cpp stands in the place of NAME.cpp, and NOT_IN_PAGE are
# the files for whose work a page has nothing.
function(stridescope_module folder)
  cmake_parse_arguments(arg "OWN_OPTIONS;HEADERS_ONLY;COLD" "" "HEADERS;SOURCES;PUBLIC;PRIVATE;COMPILED;NOT_IN_PAGE;ALONE" ${ARGN})
  string(REPLACE "/" "_" name stridescope_${folder})
  file(GLOB_RECURSE headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.h)
  if(NOT arg_SOURCES AND NOT arg_HEADERS_ONLY)
    file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  # Folders below that are modules themselves keep their files.
  file(GLOB_RECURSE inner RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */CMakeLists.txt)
  foreach(list IN LISTS inner)
    get_filename_component(below ${list} DIRECTORY)
    if(below)
      list(FILTER headers EXCLUDE REGEX "^${below}/")
      list(FILTER arg_SOURCES EXCLUDE REGEX "${CMAKE_CURRENT_SOURCE_DIR}/${below}/")
    endif()
  endforeach()
  stridescope_sources_of_edition(arg_SOURCES "${arg_SOURCES}" "${arg_NOT_IN_PAGE}")
  set(private_headers ${headers})
  list(REMOVE_ITEM private_headers ${arg_HEADERS})
  list(TRANSFORM private_headers PREPEND ${folder}/)
  set_property(GLOBAL APPEND PROPERTY STRIDESCOPE_PRIVATE_HEADERS ${private_headers})
  set(links ${CMAKE_BINARY_DIR}/include/${name})
  file(REMOVE_RECURSE ${links})
  stridescope_link_headers(${links}/all/${folder} ${headers})
  stridescope_link_headers(${links}/public/${folder} ${arg_HEADERS})

  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_include_directories(${name} PUBLIC ${links}/public PRIVATE ${links}/all)
    target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} stridescope_options)
    if(arg_COMPILED AND STRIDESCOPE_COMPILED_HEADERS)
      list(TRANSFORM arg_COMPILED PREPEND "<")
      list(TRANSFORM arg_COMPILED APPEND ">")
      target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/common_headers.h ${arg_COMPILED})
      set_target_properties(${name} PROPERTIES STRIDESCOPE_COMPILED_HEADERS ON)
    elseif(NOT arg_OWN_OPTIONS)
      stridescope_use_headers(${name} stridescope_common_headers)
    endif()
    if(NOT arg_OWN_OPTIONS)
      # Few enough that one changed file is compiled again in seconds.
      stridescope_batch(${name} 12 ${arg_ALONE})
      if(arg_COLD AND NOT EMSCRIPTEN)  # a page is small in all of its parts
        target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
      endif()
    endif()
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${links}/public)
    target_link_libraries(${name} INTERFACE ${arg_PUBLIC})
  endif()
endfunction()

# stridescope_sources_of_edition(RESULT SOURCES NOT_IN_PAGE): see stridescope_module.
function(stridescope_sources_of_edition result sources not_in_page)
  set(of_page ${sources})
  list(FILTER of_page INCLUDE REGEX "_web[.]cpp$")
  if(EMSCRIPTEN)
    list(TRANSFORM of_page REPLACE "_web[.]cpp$" ".cpp" OUTPUT_VARIABLE others)
    list(TRANSFORM not_in_page PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    list(APPEND others ${not_in_page})
  else()
    set(others ${of_page})
  endif()
  if(others)
    list(REMOVE_ITEM sources ${others})
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

function(stridescope_link_headers folder)
  foreach(header IN LISTS ARGN)
    get_filename_component(parent ${folder}/${header} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${folder}/${header} SYMBOLIC)
  endforeach()
endfunction()

# stridescope_inside(TARGET modules...): a test sees the modules as their own files do.
function(stridescope_inside target)
  foreach(module IN LISTS ARGN)
    target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/include/stridescope_${module}/all)
    get_target_property(kind stridescope_${module} TYPE)
    if(NOT kind STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(${target} PRIVATE stridescope_${module} $<TARGET_PROPERTY:stridescope_${module},LINK_LIBRARIES>)
    endif()
  endforeach()
endfunction()

# stridescope_modules_of(RESULT TARGETS...): the modules with sources that they link, with those that these link, and so on.
function(stridescope_modules_of result)
  set(modules)
  set(seen)
  set(left ${ARGN})
  while(left)
    list(POP_FRONT left target)
    if(NOT TARGET ${target} OR target IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(kind ${target} TYPE)
    get_target_property(folder ${target} SOURCE_DIR)
    if(kind STREQUAL "STATIC_LIBRARY" AND folder MATCHES "^${PROJECT_SOURCE_DIR}/(app|kernels)")
      list(APPEND modules ${target})
    endif()
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(linked ${target} ${property})
      if(linked)
        list(APPEND left ${linked})
      endif()
    endforeach()
  endwhile()
  set(${result} ${modules} PARENT_SCOPE)
endfunction()

# stridescope_modules_first(TARGET): of an inline function that a test's files and the modules both have, the program gets the
# modules' copy: it is optimized (a window's tests take a quarter less processor time), and UndefinedBehaviorSanitizer is in
# it. The linker keeps the copy that it meets first, and takes from a library what is missing alone: so the modules stand
# before the test's files, and whole.
function(stridescope_modules_first target)
  stridescope_modules_of(modules ${target})
  list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  string(JOIN " " modules ${modules})
  target_link_options(${target} PRIVATE "SHELL:LINKER:--whole-archive ${modules} LINKER:--no-whole-archive")
endfunction()

# Some seventy test programs are linked in a quarter of the time. The program itself is linked as the system links.
find_program(MOLD_PROGRAM mold)

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  stridescope_headers(stridescope_test_headers test_headers.h GTest::gmock stridescope_test_options)
endif()

# stridescope_test_batch(TARGET FILES...): the same for a test program.
function(stridescope_test_batch target)
  stridescope_batch(${target} 16 ${ARGN})
endfunction()

# stridescope_test_files(TARGET [HEADERS target | COMPILED headers...] [OPTIMIZED files...] [ALONE files...]): how the files of a test, or of what
# tests share, are compiled. OPTIMIZED: files that compute so long that they are compiled with the optimizer, alone. HEADERS:
# whose compiled headers it takes; all tests' unless given. COMPILED: headers that are compiled once for it, beside all tests'
# ones, and for those who name it under HEADERS. ALONE: see stridescope_batch.
function(stridescope_test_files target)
  cmake_parse_arguments(arg "" "HEADERS" "COMPILED;OPTIMIZED;ALONE" ${ARGN})
  if(NOT arg_HEADERS)
    set(arg_HEADERS stridescope_test_headers)
  endif()
  if(arg_COMPILED AND STRIDESCOPE_COMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/test_headers.h ${arg_COMPILED})
    set_target_properties(${target} PROPERTIES STRIDESCOPE_COMPILED_HEADERS ON)
  else()
    stridescope_use_headers(${target} ${arg_HEADERS})
  endif()
  stridescope_test_batch(${target} ${arg_ALONE} ${arg_OPTIMIZED})
  set_source_files_properties(${arg_OPTIMIZED} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set_property(SOURCE ${arg_OPTIMIZED} APPEND PROPERTY COMPILE_OPTIONS -O1)
endfunction()

# stridescope_test(NAME SOURCES ... [LINK targets...] [INSIDE modules...] [HEADERS target] [ALONE files...]
#   [OPTIMIZED files...] [WAITING FILTER] [PARTS FILTER] [TOGETHER N] [OWN_OPTIONS] [FIRST])
# A GoogleTest program; each test is one of CTest's, unless TOGETHER: then N processes share its tests, each process one of
# CTest's. That is for many quick tests, which would take less time than their processes take to start, and of which none is
# skipped anywhere: CTest tells of a skipped test only where that test is one of its own. HEADERS, ALONE, OPTIMIZED: see stridescope_test_files. FILTER, as
# --gtest_filter takes it, has those of its tests that wait more than they compute. PARTS: those that make what its other tests share, and run before them.
# OWN_OPTIONS: as for a module, and its files are compiled alone.
# FIRST: some of its tests take long, and are started before others.
# ./dev test gives CTest two processors for each core: a test that computes takes two of them, one that waits takes one.
function(stridescope_test name)
  cmake_parse_arguments(arg "OWN_OPTIONS;FIRST" "WAITING;PARTS;HEADERS;TOGETHER" "SOURCES;LINK;INSIDE;ALONE;OPTIMIZED" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  stridescope_inside(${name} ${arg_INSIDE})
  target_link_libraries(${name} PRIVATE ${arg_LINK} stridescope_options stridescope_test_options GTest::gtest_main)
  if(NOT arg_OWN_OPTIONS)
    stridescope_test_files(${name} HEADERS ${arg_HEADERS} ALONE ${arg_ALONE} OPTIMIZED ${arg_OPTIMIZED})
  endif()
  stridescope_modules_first(${name})
  if(MOLD_PROGRAM)
    target_link_options(${name} PRIVATE -fuse-ld=mold)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  # Sanitized, on a busy machine, the longest took over 300 s.
  set(most_seconds 300)
  if(STRIDESCOPE_SANITIZE)
    set(most_seconds 900)
  endif()
  if(arg_TOGETHER)
    math(EXPR last "${arg_TOGETHER} - 1")
    foreach(shard RANGE ${last})
      math(EXPR number "${shard} + 1")
      set(test ${name}_${number}_of_${arg_TOGETHER})
      add_test(NAME ${test} COMMAND ${name} --gtest_brief=1)
      set_tests_properties(${test} PROPERTIES TIMEOUT ${most_seconds} PROCESSORS 2 FAIL_REGULAR_EXPRESSION "SKIPPED"
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_TOGETHER};GTEST_SHARD_INDEX=${shard}")
    endforeach()
    return()
  endif()
  set(computing "*")
  if(arg_WAITING OR arg_PARTS)
    string(JOIN ":" others ${arg_WAITING} ${arg_PARTS})
    set(computing "-${others}")
  endif()
  set(needed)
  if(arg_PARTS)
    set(needed FIXTURES_REQUIRED ${name}_parts)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${arg_PARTS}" TEST_LIST ${name}_parts
      PROPERTIES TIMEOUT ${most_seconds} SKIP_REGULAR_EXPRESSION "SKIPPED" PROCESSORS 2 FIXTURES_SETUP ${name}_parts)
  endif()
  if(arg_WAITING)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${arg_WAITING}" TEST_LIST ${name}_waiting
      PROPERTIES TIMEOUT ${most_seconds} SKIP_REGULAR_EXPRESSION "SKIPPED" PROCESSORS 1 ${needed})
  endif()
  set(cost 0)
  if(arg_FIRST)
    set(cost 2)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${computing}"
    PROPERTIES TIMEOUT ${most_seconds} SKIP_REGULAR_EXPRESSION "SKIPPED" PROCESSORS 2 COST ${cost} ${needed})
endfunction()

# stridescope_display_test(SCRIPT_under_xvfb DISPLAY SECONDS TARGET): a script of the current folder, with the program TARGET
# on a virtual display, which takes about so long. Those of one DISPLAY run one after the other: two that look for a free
# display from the same number on may choose the same.
function(stridescope_display_test script display seconds target)
  add_test(NAME ${script} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh $<TARGET_FILE:${target}>)
  # Mesa's window driver leaks, and is unloaded before the leak checker could name it. The thread of its cache of shaders has
  # the lowest priority: a program that ends on a busy machine would wait for it.
  set_tests_properties(${script} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77 PROCESSORS 1 COST ${seconds}
    RESOURCE_LOCK virtual_display_${display}
    ENVIRONMENT "STRIDESCOPE_DISPLAY=${display};MESA_SHADER_CACHE_DISABLE=true;ASAN_OPTIONS=detect_stack_use_after_return=0:detect_leaks=0;$<$<BOOL:${STRIDESCOPE_SANITIZE}>:STRIDESCOPE_SANITIZED=1>")
endfunction()

# stridescope_benchmark(NAME SOURCES ... LINK targets... [INSIDE modules...])
# A Google Benchmark program, built and run by ./dev bench alone. NAME begins with bench_.
function(stridescope_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;INSIDE" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  stridescope_inside(${name} ${arg_INSIDE})
  target_link_libraries(${name} PRIVATE ${arg_LINK} stridescope_options benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
endfunction()

# What a program knows of its own build: STRIDESCOPE_VERSION, and STRIDESCOPE_SOURCE_DIRECTORY, where the assets and
# shaders are found when the program runs from its build folder (installed: ../share/stridescope beside the program; in a
# page: /share/stridescope in its memory).
add_library(stridescope_build_info INTERFACE)
target_compile_definitions(stridescope_build_info INTERFACE
  STRIDESCOPE_VERSION="${PROJECT_VERSION}"
  STRIDESCOPE_SOURCE_DIRECTORY="$<IF:$<BOOL:${EMSCRIPTEN}>,/share/stridescope,${PROJECT_SOURCE_DIR}>")
