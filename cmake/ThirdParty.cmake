# What others wrote, as targets. Everything here is included as SYSTEM headers and compiled without our warnings.
#   glad, glfw                          OpenGL 3.3 core and EGL 1.5 loaders; the window
#   imgui, implot                       the window's widgets and plots
#   text_editor                         ImGuiColorTextEdit: edits the text of a person's own kernel
#   imgui_test_engine                   drives the window; linked by tests only
#   gif                                 giflib: films of pictures
#   stb                                 stb_image, stb_image_write (compiled: define no implementation macro)
#   PkgConfig::MPFR                     exact sums and products of floating numbers
#   PkgConfig::MD4C                     reads Markdown
#   PkgConfig::LIBDW                    reads debug information (elfutils)
#   Boost::context, SQLite::SQLite3, CLI11::CLI11, fmt::fmt, nlohmann_json::nlohmann_json, GTest::gtest,
#   benchmark::benchmark, PkgConfig::libseccomp
# THIRD_PARTY.md has their versions, licences and where they come from.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(SQLite3 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(glfw3 3.3 REQUIRED)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr>=4.0)
pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw)
find_package(benchmark REQUIRED)
# For the CPU baselines; where one is missing, that baseline is a sentence.
find_package(TBB QUIET)
find_package(OpenMP QUIET COMPONENTS CXX)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp)

# stridescope_third_party(TARGET): compiled as its authors wrote it.
function(stridescope_third_party target)
  target_compile_options(${target} PRIVATE -w)
  if(STRIDESCOPE_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "" EXPORT_COMPILE_COMMANDS OFF)
endfunction()

find_path(STB_INCLUDE_DIRECTORY stb_image_write.h PATH_SUFFIXES stb REQUIRED)
find_library(STB_LIBRARY NAMES libstb.a REQUIRED)
add_library(stb INTERFACE)
target_include_directories(stb SYSTEM INTERFACE ${STB_INCLUDE_DIRECTORY})
target_link_libraries(stb INTERFACE ${STB_LIBRARY} m)

# Compiled in where its static library is installed, as Debian's package has it.
find_path(GIF_INCLUDE_DIRECTORY gif_lib.h REQUIRED)
find_library(GIF_LIBRARY NAMES libgif.a gif REQUIRED)
add_library(gif INTERFACE)
target_include_directories(gif SYSTEM INTERFACE ${GIF_INCLUDE_DIRECTORY})
target_link_libraries(gif INTERFACE ${GIF_LIBRARY})

include(${CMAKE_CURRENT_LIST_DIR}/Glad.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Imgui.cmake)
