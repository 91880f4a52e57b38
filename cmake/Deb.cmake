# A package for Debian and Ubuntu, by CPack: what Install.cmake lays out, as it is, in /usr/lib/stridescope, so that one
# file does for systems with other versions of the libraries; and where the system looks for it a command, a menu entry,
# an icon, and the type of recordings. cmake/package.sh makes it.
set(home /usr/lib/stridescope)
install(FILES ${PROJECT_SOURCE_DIR}/assets/stridescope.desktop DESTINATION /usr/share/applications COMPONENT system)
install(FILES ${PROJECT_SOURCE_DIR}/assets/stridescope.svg
  DESTINATION /usr/share/icons/hicolor/scalable/apps COMPONENT system)
install(FILES ${PROJECT_SOURCE_DIR}/assets/stridescope.xml DESTINATION /usr/share/mime/packages COMPONENT system)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION /usr/share/doc/stridescope RENAME copyright COMPONENT system)
# The program finds its libraries and its share/ through the link.
install(CODE "
  file(MAKE_DIRECTORY \$ENV{DESTDIR}/usr/bin)
  file(CREATE_LINK ../lib/stridescope/bin/stridescope \$ENV{DESTDIR}/usr/bin/stridescope SYMBOLIC)"
  COMPONENT system)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stridescope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Stridescope authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "step through GPU parallel reductions stride by stride")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Stridescope teaches how GPUs reduce arrays. It steps through the strides of
each variant on a GPU or on a CPU executor, and draws active threads,
divergence, and bank conflicts beside timings.")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What the package for other systems leaves to the machine, and what GLFW opens (docs/platforms.md).
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= 2.34), libstdc++6 (>= 11), libgcc-s1, libgl1, libegl1, libx11-6, libxcursor1, libxi6, libxinerama1, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl-mesa0, libgl1-mesa-dri")
set(CPACK_PACKAGING_INSTALL_PREFIX ${home})
set(CPACK_INSTALL_PREFIX ${home})
set(CPACK_SET_DESTDIR ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL stridescope system)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)  # tests are not in it
include(CPack)
