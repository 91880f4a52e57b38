# What others wrote, for the browser edition: the targets of ThirdParty.cmake under the same names, but for those that a page
# has no use for. STRIDESCOPE_WEB_SOURCES is the folder that web_sources.sh made. Libraries of headers alone are those of
# this machine.
set(STRIDESCOPE_WEB_SOURCES "" CACHE PATH "the sources that ./dev web has unpacked")
if(NOT EXISTS ${STRIDESCOPE_WEB_SOURCES}/built/lib/libmpfr.a)
  message(FATAL_ERROR "The sources of the browser edition are not at '${STRIDESCOPE_WEB_SOURCES}'. ./dev web fetches them.")
endif()

function(stridescope_third_party target)
  target_compile_options(${target} PRIVATE -w)
  set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "" EXPORT_COMPILE_COMMANDS OFF)
endfunction()

# Linked into one folder, because the folder of all of this machine's headers has its C library's, too.
set(web_headers ${CMAKE_BINARY_DIR}/third_party/headers)
file(MAKE_DIRECTORY ${web_headers})
foreach(library boost fmt nlohmann stb tl)
  if(NOT EXISTS /usr/include/${library})
    message(FATAL_ERROR "The headers /usr/include/${library} are missing. ./dev web installs them.")
  endif()
  file(CREATE_LINK /usr/include/${library} ${web_headers}/${library} SYMBOLIC)
endforeach()
function(stridescope_web_headers target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${web_headers})
endfunction()
include_directories(SYSTEM ${web_headers})  # tl/expected.hpp, in which every error is told
stridescope_web_headers(Boost::headers)
stridescope_web_headers(Boost::context)
stridescope_web_headers(nlohmann_json::nlohmann_json)
stridescope_web_headers(fmt::fmt)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

# stridescope_web_library(TARGET INCLUDE files...): a C library of STRIDESCOPE_WEB_SOURCES.
function(stridescope_web_library target include)
  list(TRANSFORM ARGN PREPEND ${STRIDESCOPE_WEB_SOURCES}/)
  add_library(${target} STATIC ${ARGN})
  target_include_directories(${target} SYSTEM PUBLIC ${STRIDESCOPE_WEB_SOURCES}/${include})
  stridescope_third_party(${target})
endfunction()

stridescope_web_library(web_sqlite sqlite sqlite/sqlite3.c)
target_compile_definitions(web_sqlite PRIVATE SQLITE_THREADSAFE=0 SQLITE_OMIT_LOAD_EXTENSION SQLITE_USE_URI=1
  SQLITE_DEFAULT_MEMSTATUS=0 SQLITE_OMIT_DEPRECATED SQLITE_OMIT_SHARED_CACHE)
add_library(SQLite::SQLite3 ALIAS web_sqlite)

stridescope_web_library(web_md4c md4c/src md4c/src/md4c.c)
add_library(PkgConfig::MD4C ALIAS web_md4c)

stridescope_web_library(gif giflib giflib/dgif_lib.c giflib/egif_lib.c giflib/gif_err.c giflib/gif_hash.c giflib/gifalloc.c
  giflib/openbsd-reallocarray.c giflib/quantize.c)

stridescope_web_library(md libmd/include libmd/src/sha2.c libmd/src/sha256hl.c)
file(WRITE ${CMAKE_BINARY_DIR}/third_party/md/config.h "#define HAVE_UNISTD_H 1\n")
target_include_directories(md PRIVATE ${CMAKE_BINARY_DIR}/third_party/md)

file(WRITE ${CMAKE_BINARY_DIR}/third_party/stb.c
  "#define STB_IMAGE_IMPLEMENTATION\n#define STB_IMAGE_WRITE_IMPLEMENTATION\n#include <stb_image.h>\n#include <stb_image_write.h>\n")
add_library(stb STATIC ${CMAKE_BINARY_DIR}/third_party/stb.c)
target_include_directories(stb SYSTEM PUBLIC ${web_headers}/stb)
stridescope_third_party(stb)

add_library(PkgConfig::MPFR INTERFACE IMPORTED GLOBAL)
target_include_directories(PkgConfig::MPFR SYSTEM INTERFACE ${STRIDESCOPE_WEB_SOURCES}/built/include)
target_link_libraries(PkgConfig::MPFR INTERFACE
  ${STRIDESCOPE_WEB_SOURCES}/built/lib/libmpfr.a ${STRIDESCOPE_WEB_SOURCES}/built/lib/libgmp.a)

# WebGL 2 has OpenGL ES 3's functions, and they are linked: there is nothing to load.
file(WRITE ${CMAKE_BINARY_DIR}/third_party/gl/glad/gl.h "#include <GLES3/gl3.h>\n")
add_library(glad INTERFACE)
target_include_directories(glad SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/third_party/gl)

# A page has no windows or dialogs of a desktop, and one thread.
add_library(glfw INTERFACE)
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/Imgui.cmake)
