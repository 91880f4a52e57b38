# What `cmake --install` lays out, in two components:
#   stridescope   bin/stridescope, lib/ (the libraries it needs, but none of the machine's or the driver's),
#                 share/stridescope/ (assets, fonts, kernels, shaders, record_shipped.sh), the desktop entry and icon
#   nvrtc         lib/libnvrtc and its builtins, where the build found CUDA's libraries
# The program finds lib/ through $ORIGIN and share/ from its own place, so the folder can be moved.
if(NOT TARGET stridescope)
  return()
endif()

# RPATH, not RUNPATH, because only the former also finds what the libraries in lib/ need themselves.
set_target_properties(stridescope PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
target_link_options(stridescope PRIVATE LINKER:--disable-new-dtags)

# The C and C++ run-time libraries are left out too: the machine's OpenGL driver needs its own, newer ones.
install(TARGETS stridescope
  RUNTIME_DEPENDENCIES
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so"
                        "^lib(GL|GLX|EGL|GLdispatch|OpenGL|GLES.*|gbm|drm|cuda|nvidia-.*|nvrtc.*|cupti)[.-]"
  RUNTIME DESTINATION bin COMPONENT stridescope
  LIBRARY DESTINATION lib COMPONENT stridescope)

set(share share/stridescope)
foreach(folder assets kernels shaders)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${share} COMPONENT stridescope
      PATTERN "CMakeLists.txt" EXCLUDE
      PATTERN "recording" EXCLUDE
      PATTERN "catalog.*" EXCLUDE
      PATTERN "stridescope.desktop" EXCLUDE
      PATTERN "stridescope.svg" EXCLUDE
      PATTERN "stridescope.xml" EXCLUDE)
  endif()
endforeach()

install(PROGRAMS ${PROJECT_SOURCE_DIR}/cmake/record_shipped.sh DESTINATION ${share} COMPONENT stridescope)

# The window's typefaces, from Debian's packages; assets/fonts.md says which and why.
find_path(STRIDESCOPE_INTER_DIRECTORY Inter-Regular.otf PATHS /usr/share/fonts/opentype/inter NO_DEFAULT_PATH)
find_path(STRIDESCOPE_JETBRAINS_MONO_DIRECTORY JetBrainsMono-Regular.ttf
  PATHS /usr/share/fonts/truetype/jetbrains-mono NO_DEFAULT_PATH)
if(STRIDESCOPE_INTER_DIRECTORY AND STRIDESCOPE_JETBRAINS_MONO_DIRECTORY)
  foreach(face Regular SemiBold Bold)
    install(FILES ${STRIDESCOPE_INTER_DIRECTORY}/Inter-${face}.otf DESTINATION ${share}/fonts COMPONENT stridescope)
  endforeach()
  foreach(face Regular Bold)
    install(FILES ${STRIDESCOPE_JETBRAINS_MONO_DIRECTORY}/JetBrainsMono-${face}.ttf
      DESTINATION ${share}/fonts COMPONENT stridescope)
  endforeach()
endif()

# The licences of all that is in the package.
foreach(package fonts-inter fonts-jetbrains-mono libboost-context-dev libbsd0 libcli11-dev libbz2-1.0 libdw1 libelf1 liblzma5 zlib1g libexpected-dev libfmt9 libgif-dev libglfw3
                libgmp10 libgomp1 libmd0 libmd4c0 libmpfr6 libseccomp2 libsqlite3-0 libstb-dev libtbb12 libx11-6 libxau6 libxcb1 libxdmcp6 nlohmann-json3-dev python3-glad)
  install(FILES /usr/share/doc/${package}/copyright
    DESTINATION ${share}/licenses RENAME ${package}.txt COMPONENT stridescope OPTIONAL)
endforeach()
# MPFR's and GMP's licence, which their copyright files only name.
foreach(licence LGPL-3 GPL-3)
  install(FILES /usr/share/common-licenses/${licence}
    DESTINATION ${share}/licenses RENAME ${licence}.txt COMPONENT stridescope OPTIONAL)
endforeach()
install(FILES ${imgui_directory}/LICENSE.txt DESTINATION ${share}/licenses RENAME imgui.txt COMPONENT stridescope)
install(FILES ${implot_directory}/LICENSE DESTINATION ${share}/licenses RENAME implot.txt COMPONENT stridescope)
install(FILES ${text_editor_directory}/LICENSE DESTINATION ${share}/licenses RENAME ImGuiColorTextEdit.txt
  COMPONENT stridescope)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION . COMPONENT stridescope)
install(FILES ${PROJECT_SOURCE_DIR}/assets/stridescope.desktop
  DESTINATION share/applications COMPONENT stridescope)
install(FILES ${PROJECT_SOURCE_DIR}/assets/stridescope.svg
  DESTINATION share/icons/hicolor/scalable/apps COMPONENT stridescope)

# By their sonames, which in a toolkit are symbolic links.
set(cuda_root ${STRIDESCOPE_CUDA_INCLUDE}/..)
file(GLOB nvrtc_libraries ${cuda_root}/lib/libnvrtc*.so.* ${cuda_root}/lib64/libnvrtc*.so.*)
foreach(library IN LISTS nvrtc_libraries)
  get_filename_component(soname ${library} NAME)
  if(soname MATCHES "^libnvrtc\\.so\\.[0-9]+$|^libnvrtc-builtins\\.so\\.[0-9]+\\.[0-9]+$")
    file(REAL_PATH ${library} library)
    install(PROGRAMS ${library} DESTINATION lib RENAME ${soname} COMPONENT nvrtc)
  endif()
endforeach()
