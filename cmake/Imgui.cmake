# Dear ImGui (docking branch), ImPlot, the text editor and the test engine, from imgui-bundle's source archive.
# Nothing of imgui-bundle itself is compiled. The archive's SHA-256 is checked before it is unpacked.
# imgui_archive.txt is pip's requirement line, which ./dev fetches by: NAME==VERSION --hash=sha256:SHA256.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/imgui_archive.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/imgui_archive.txt requirement LIMIT_COUNT 1)
string(REGEX MATCH "==([^ ]+) --hash=sha256:([0-9a-f]+)" matched "${requirement}")
set(imgui_archive_name imgui_bundle-${CMAKE_MATCH_1})
set(imgui_archive_sha256 ${CMAKE_MATCH_2})
set(imgui_sources ${CMAKE_BINARY_DIR}/third_party/${imgui_archive_name})

# The archive that -DSTRIDESCOPE_IMGUI_ARCHIVE names, else the one in ./dev's cache.
function(stridescope_find_imgui_archive result)
  set(archive "${STRIDESCOPE_IMGUI_ARCHIVE}")
  if(NOT archive)
    set(cache "$ENV{XDG_CACHE_HOME}")
    if(NOT cache)
      set(cache "$ENV{HOME}/.cache")
    endif()
    set(archive ${cache}/stridescope/${imgui_archive_name}.tar.gz)
  endif()
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "Dear ImGui's source archive is not at ${archive}. "
      "./dev build fetches it; without a network pass -DSTRIDESCOPE_IMGUI_ARCHIVE=FILE (${imgui_archive_name}.tar.gz).")
  endif()
  file(SHA256 ${archive} sha256)
  if(NOT sha256 STREQUAL imgui_archive_sha256)
    message(FATAL_ERROR "${archive} is not the archive that this program is built from: its SHA-256 is ${sha256}, "
      "not ${imgui_archive_sha256}. Delete it and run ./dev build, which fetches it anew.")
  endif()
  set(${result} ${archive} PARENT_SCOPE)
endfunction()

# Renamed into place once whole, so a folder that has the last of the parts is complete.
function(stridescope_unpack_imgui)
  stridescope_find_imgui_archive(archive)
  set(partial ${imgui_sources}.partial)
  file(REMOVE_RECURSE ${partial})
  set(external ${imgui_archive_name}/external)
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${partial} PATTERNS
    ${external}/imgui/imgui/*.cpp ${external}/imgui/imgui/*.h ${external}/imgui/imgui/LICENSE.txt
    ${external}/implot/implot/*
    ${external}/imgui_test_engine/imgui_test_engine/imgui_test_engine/*
    ${external}/ImGuiColorTextEdit/ImGuiColorTextEdit/TextEditor.*
    ${external}/ImGuiColorTextEdit/ImGuiColorTextEdit/LICENSE)
  file(REMOVE_RECURSE ${imgui_sources})
  file(RENAME ${partial}/${external} ${imgui_sources})
  file(REMOVE_RECURSE ${partial})
endfunction()

set(text_editor_directory ${imgui_sources}/ImGuiColorTextEdit/ImGuiColorTextEdit)
if(NOT EXISTS ${text_editor_directory})
  message(STATUS "Unpacking Dear ImGui")
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/third_party)
  stridescope_unpack_imgui()
endif()

# Everything is compiled once, with the test engine's hooks called. What they call is nothing at all unless the
# program links imgui_test_engine: the hooks in imgui_test_hooks_off are weak, the engine's take their place.
add_library(imgui_test_hooks_off STATIC ${CMAKE_CURRENT_LIST_DIR}/imgui_test_hooks_off.cpp)
target_include_directories(imgui_test_hooks_off SYSTEM PRIVATE ${imgui_sources}/imgui/imgui)
target_compile_definitions(imgui_test_hooks_off PRIVATE IMGUI_ENABLE_TEST_ENGINE)

set(imgui_directory ${imgui_sources}/imgui/imgui)
add_library(imgui STATIC
  ${imgui_directory}/imgui.cpp
  ${imgui_directory}/imgui_demo.cpp
  ${imgui_directory}/imgui_draw.cpp
  ${imgui_directory}/imgui_stacklayout.cpp
  ${imgui_directory}/imgui_tables.cpp
  ${imgui_directory}/imgui_widgets.cpp
  $<$<NOT:$<BOOL:${EMSCRIPTEN}>>:${imgui_directory}/backends/imgui_impl_glfw.cpp>
  ${imgui_directory}/backends/imgui_impl_null.cpp
  ${imgui_directory}/backends/imgui_impl_opengl3.cpp
  ${imgui_directory}/misc/cpp/imgui_stdlib.cpp)
target_include_directories(imgui SYSTEM PUBLIC
  ${imgui_directory} ${imgui_directory}/backends ${imgui_directory}/misc/cpp)
target_compile_definitions(imgui PUBLIC IMGUI_ENABLE_TEST_ENGINE $<$<BOOL:${EMSCRIPTEN}>:IMGUI_IMPL_OPENGL_ES3>)
# Its internal header includes all of the compiler's intrinsics, 45,000 lines, for one square root that its own files take.
target_compile_definitions(imgui INTERFACE IMGUI_DISABLE_SSE)
target_link_libraries(imgui PUBLIC imgui_test_hooks_off glfw ${CMAKE_DL_LIBS})
stridescope_third_party(imgui)
# The demo, which nothing shows, is left empty. The rest keeps -O2: with -O1 a frame takes a twentieth more.
set_source_files_properties(${imgui_directory}/imgui_demo.cpp PROPERTIES COMPILE_DEFINITIONS IMGUI_DISABLE_DEMO_WINDOWS)

set(implot_directory ${imgui_sources}/implot/implot)
add_library(implot STATIC ${implot_directory}/implot.cpp ${implot_directory}/implot_items.cpp)
target_include_directories(implot SYSTEM PUBLIC ${implot_directory})
# Plots take double; all ten of ImPlot's types would take eight times as long to compile.
target_compile_definitions(implot PUBLIC "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
target_link_libraries(implot PUBLIC imgui)
stridescope_third_party(implot)
target_compile_options(implot PRIVATE -O1)  # plots of some hundred points; -O2 takes twice as long to compile

# Edits a person's own kernel.
add_library(text_editor STATIC ${text_editor_directory}/TextEditor.cpp)
target_include_directories(text_editor SYSTEM PUBLIC ${text_editor_directory})
target_link_libraries(text_editor PUBLIC imgui)
stridescope_third_party(text_editor)
target_compile_options(text_editor PRIVATE -O1)  # a text of some hundred lines; -O2 takes half as long again to compile

set(test_engine_directory ${imgui_sources}/imgui_test_engine/imgui_test_engine/imgui_test_engine)
file(GLOB test_engine_sources ${test_engine_directory}/*.cpp)
add_library(imgui_test_engine STATIC EXCLUDE_FROM_ALL ${test_engine_sources})
target_include_directories(imgui_test_engine SYSTEM PUBLIC ${test_engine_directory})
target_compile_definitions(imgui_test_engine PUBLIC IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1)
target_link_libraries(imgui_test_engine PUBLIC imgui Threads::Threads)
stridescope_third_party(imgui_test_engine)
target_compile_options(imgui_test_engine PRIVATE -O1)  # quicker to compile; what it does for a test is little
