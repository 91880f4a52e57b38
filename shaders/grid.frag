#version 330 core
// A grid of cells. Each cell is a byte that names a style; a style is a fill, a colour for its marks, and which marks.
// Pixels count from the grid's upper left corner. The integer rule for a cell's edges is grid_picture.h's.

uniform usampler2D cells;    // one byte per cell, in reading order, `cellsPerTexelRow` to a row of texels
uniform sampler2D styles;    // a column a style; rows: fill, colour of the marks, (hatch, line, cross, notch), (outline)
uniform int cellsPerTexelRow;
uniform ivec2 shape;         // columns, rows
uniform ivec2 origin;        // the grid's upper left corner, in pixels from the framebuffer's upper left corner
uniform ivec2 size;          // the grid's width and height in pixels
uniform int uppermost;       // the framebuffer's row that is uppermost in the picture: its last one, or 0 if that is upside down

uniform ivec2 gap;           // pixels left blank at each cell's right and lower edge
uniform float outlineUnit;   // pixels of an outline of width 1
uniform float greatestOutline;  // pixels
uniform float lineWidth;     // pixels: the line through a cell, and each stroke of a cross
uniform float crossInset;    // pixels between a cross and its cell's edge
uniform float hatchPeriod;   // pixels along x from one diagonal line to the next
uniform float hatchWidth;    // pixels across a diagonal line
uniform float notchSize;     // pixels cut off the upper right corner along either edge

out vec4 colour;

const float kHalfDiagonal = 0.70710678;  // 1 / sqrt(2): a distance along x, measured across a diagonal

float strokeCoverage(float distanceFromMiddle, float width) {
  return clamp(0.5 * width + 0.5 - abs(distanceFromMiddle), 0.0, 1.0);
}

int firstPixel(int index, int count, int length) { return (2 * index * length + count - 1) / (2 * count); }

// How much of the pixel at `place` a cross covers: the diagonals of the largest square in the middle of `extent`.
float crossCoverage(vec2 place, vec2 extent) {
  float radius = max(0.5 * min(extent.x, extent.y) - crossInset, 0.5);
  vec2 at = place - 0.5 * extent;
  if (max(abs(at.x), abs(at.y)) > radius) return 0.0;
  return max(strokeCoverage((at.y - at.x) * kHalfDiagonal, lineWidth),
             strokeCoverage((at.y + at.x) * kHalfDiagonal, lineWidth));
}

void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), abs(uppermost - int(gl_FragCoord.y))) - origin;
  if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, size))) discard;

  ivec2 cell = min((2 * pixel + 1) * shape / (2 * size), shape - 1);
  ivec2 first = ivec2(firstPixel(cell.x, shape.x, size.x), firstPixel(cell.y, shape.y, size.y));
  ivec2 next = ivec2(firstPixel(cell.x + 1, shape.x, size.x), firstPixel(cell.y + 1, shape.y, size.y));
  vec2 extent = vec2(next - first - gap);
  vec2 place = vec2(pixel - first) + 0.5;

  int index = cell.y * shape.x + cell.x;
  int style = int(texelFetch(cells, ivec2(index % cellsPerTexelRow, index / cellsPerTexelRow), 0).r);
  if (style >= textureSize(styles, 0).x) discard;
  vec4 fill = texelFetch(styles, ivec2(style, 0), 0);
  vec4 mark = texelFetch(styles, ivec2(style, 1), 0);
  vec4 marks = texelFetch(styles, ivec2(style, 2), 0);
  float outline = min(255.0 * texelFetch(styles, ivec2(style, 3), 0).r * outlineUnit, greatestOutline);

  // A line through a row of cells crosses their gaps, so that an idle warp reads as one thing.
  float line = marks.y * strokeCoverage(place.y - 0.5 * extent.y, lineWidth);
  bool inGap = any(greaterThan(place, extent));
  bool cutOff = marks.w > 0.5 && (extent.x - place.x) + place.y < notchSize;
  if (inGap || cutOff) {
    colour = vec4(mark.rgb, mark.a * line);
    return;
  }

  float toEdge = min(min(place.x, extent.x - place.x), min(place.y, extent.y - place.y));
  float diagonal = mod(float(pixel.x + pixel.y), hatchPeriod) - 0.5 * hatchPeriod;
  float covered = line;
  covered = max(covered, marks.x * strokeCoverage(diagonal * kHalfDiagonal, hatchWidth));
  covered = max(covered, marks.z * crossCoverage(place, extent));
  covered = max(covered, toEdge < outline ? 1.0 : 0.0);
  covered *= mark.a;

  // `mark` over `fill`, both with their own opacity.
  float alpha = covered + fill.a * (1.0 - covered);
  vec3 blended = mark.rgb * covered + fill.rgb * fill.a * (1.0 - covered);
  colour = vec4(alpha > 0.0 ? blended / alpha : vec3(0.0), alpha);
}
