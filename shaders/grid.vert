#version 330 core
// Four corners of one rectangle, without vertex attributes: gl_VertexID 0 ... 3 as a triangle strip.

uniform vec4 rectangle;  // left, top, right, bottom in normalised device coordinates

void main() {
  float x = (gl_VertexID & 1) == 0 ? rectangle.x : rectangle.z;
  float y = (gl_VertexID & 2) == 0 ? rectangle.y : rectangle.w;
  gl_Position = vec4(x, y, 0.0, 1.0);
}
