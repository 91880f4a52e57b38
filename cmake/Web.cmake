# The browser edition, with Emscripten: the page's program, or, as a build of its own, the executor's. Emscripten's fibers and
# WebAssembly's exceptions do not go together: the page has exceptions, the executor has fibers.
set(STRIDESCOPE_WEB_PART page CACHE STRING "page, or executor")
set(BUILD_TESTING OFF)
if(STRIDESCOPE_WEB_PART STREQUAL "page")
  add_compile_options(-fwasm-exceptions)
  add_link_options(-fwasm-exceptions)
endif()
include(cmake/Targets.cmake)
# Counts have 64 bits in the whole program, and count what is in memory, where sizes have 32 here.
target_compile_options(stridescope_options INTERFACE -Wno-shorten-64-to-32)
include(cmake/WebThirdParty.cmake)
add_subdirectory(kernels)
add_subdirectory(app)
