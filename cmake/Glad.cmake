# glad: the OpenGL 3.3 core loader and an EGL 1.5 one, generated from the specifications that Debian's glad carries.
# <glad/gl.h>: gladLoadGL(getProcAddress). <glad/egl.h>: gladLoaderLoadEGL(display) opens libEGL.so.1 itself, so that
# a program linked to this target also starts on a machine without libEGL.
find_program(GLAD_PROGRAM glad REQUIRED)
set(glad_directory ${CMAKE_BINARY_DIR}/third_party/glad)

string(JOIN "," glad_extensions
  GL_KHR_debug
  EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base EGL_EXT_platform_device
  EGL_KHR_create_context EGL_KHR_no_config_context EGL_KHR_surfaceless_context
  EGL_MESA_platform_surfaceless EGL_NV_device_cuda)

# --reproducible: without it glad asks the network for newer specifications.
add_custom_command(
  OUTPUT ${glad_directory}/src/gl.c ${glad_directory}/src/egl.c
         ${glad_directory}/include/glad/gl.h ${glad_directory}/include/glad/egl.h
  COMMAND ${GLAD_PROGRAM} --quiet --reproducible --api gl:core=3.3,egl=1.5 --extensions ${glad_extensions}
          --out-path ${glad_directory} c --loader
  COMMENT "Generating the OpenGL 3.3 and EGL 1.5 loaders" VERBATIM)

add_library(glad STATIC ${glad_directory}/src/gl.c ${glad_directory}/src/egl.c
  ${glad_directory}/include/glad/gl.h ${glad_directory}/include/glad/egl.h)
target_include_directories(glad SYSTEM PUBLIC ${glad_directory}/include)
target_compile_definitions(glad PUBLIC EGL_NO_X11)
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
stridescope_third_party(glad)
