//! Paints rectangles with WebGL 2, all in one call: a canvas below those with lines and text.

use elastiplan_scene::Quads;
use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlProgram, WebGlShader, WebGlUniformLocation,
};

use super::canvas::resize;

/// A corner for each vertex of a strip of two triangles. The rectangle grows to whole pixels; how much of a pixel it
/// covers is for the fragments to say, so that heights that are no whole number keep their area.
const VERTEX: &str = "#version 300 es
uniform vec2 size;
uniform float ratio;
layout(location = 0) in vec4 frame;
layout(location = 1) in vec4 colour;
layout(location = 2) in float pattern;
flat out vec4 edges;
flat out vec4 fill;
flat out float hatch;
void main() {
  vec4 px = frame * ratio;
  edges = vec4(px.xy, px.xy + px.zw);
  fill = colour;
  hatch = pattern;
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 at = mix(floor(edges.xy), ceil(edges.zw), corner);
  gl_Position = vec4(at.x / size.x * 2.0 - 1.0, 1.0 - at.y / size.y * 2.0, 0.0, 1.0);
}";

/// Hatches are lines at 45 degrees, 1.4 px wide and 5 px apart along the axes, as on a canvas.
const FRAGMENT: &str = "#version 300 es
precision highp float;
uniform vec2 size;
uniform float ratio;
flat in vec4 edges;
flat in vec4 fill;
flat in float hatch;
out vec4 painted;
float line(float along) {
  float apart = floor(5.0 * ratio + 0.5);
  float off = abs(mod(along + apart * 0.5, apart) - apart * 0.5) * 0.70711;
  return clamp(0.7 * ratio + 0.5 - off, 0.0, 1.0);
}
void main() {
  vec2 at = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y);
  vec2 covered = clamp(min(at + 0.5, edges.zw) - max(at - 0.5, edges.xy), 0.0, 1.0);
  float share = covered.x * covered.y * fill.a;
  if (hatch > 0.5) {
    float lines = line(at.x + at.y);
    if (hatch > 1.5) lines = max(lines, line(at.x - at.y));
    share *= lines;
  }
  painted = vec4(fill.rgb * share, share);
}";

/// `UNMASKED_RENDERER_WEBGL`.
const UNMASKED_RENDERER: u32 = 0x9246;

/// A canvas that rectangles are painted on.
pub struct GlCanvas {
    canvas: HtmlCanvasElement,
    gl: Gl,
    program: WebGlProgram,
    buffers: [WebGlBuffer; 3],
    size: Option<WebGlUniformLocation>,
    ratio: Option<WebGlUniformLocation>,
}

impl GlCanvas {
    /// Starts on a canvas; `None` where the browser has no WebGL 2. With `fast_only`, also where it would compute on
    /// the processor what belongs on a graphics card.
    pub fn on(canvas: &HtmlCanvasElement, fast_only: bool) -> Option<Self> {
        let options = js_sys::Object::new();
        let set = |name: &str, value: bool| js_sys::Reflect::set(&options, &name.into(), &JsValue::from_bool(value));
        for name in ["antialias", "depth", "stencil"] {
            set(name, false).ok()?;
        }
        set("failIfMajorPerformanceCaveat", fast_only).ok()?;
        let gl: Gl = canvas.get_context_with_context_options("webgl2", &options).ok()??.dyn_into().ok()?;
        if fast_only && is_software(&gl) {
            return None;
        }
        let program = program(&gl)?;
        let buffers = [gl.create_buffer()?, gl.create_buffer()?, gl.create_buffer()?];
        let (size, ratio) = (gl.get_uniform_location(&program, "size"), gl.get_uniform_location(&program, "ratio"));
        Some(Self { canvas: canvas.clone(), gl, program, buffers, size, ratio })
    }

    /// Whether it can still paint: the browser may take a context away at any time.
    pub fn is_lost(&self) -> bool {
        self.gl.is_context_lost()
    }

    /// Paints all rectangles on a canvas of this many CSS pixels. Whether it could.
    pub fn paint(&self, quads: &Quads, (width, height): (f64, f64), ratio: f64) -> bool {
        resize(&self.canvas, width, height, ratio);
        let gl = &self.gl;
        let (width_px, height_px) = (gl.drawing_buffer_width(), gl.drawing_buffer_height());
        let is_whole = width_px == self.canvas.width() as i32 && height_px == self.canvas.height() as i32;
        if self.is_lost() || !is_whole {
            return false;
        }
        gl.viewport(0, 0, width_px, height_px);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(Gl::COLOR_BUFFER_BIT);
        if quads.count() == 0 {
            return true;
        }
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        gl.use_program(Some(&self.program));
        gl.uniform2f(self.size.as_ref(), width_px as f32, height_px as f32);
        gl.uniform1f(self.ratio.as_ref(), ratio as f32);
        let [frames, colours, patterns] = &self.buffers;
        self.column(frames, 0, 4, Gl::FLOAT, &Float32Array::from(quads.frames.as_slice()));
        self.column(colours, 1, 4, Gl::UNSIGNED_BYTE, &Uint8Array::from(quads.colours.as_slice()));
        self.column(patterns, 2, 1, Gl::UNSIGNED_BYTE, &Uint8Array::from(quads.patterns.as_slice()));
        gl.draw_arrays_instanced(Gl::TRIANGLE_STRIP, 0, 4, quads.count() as i32);
        true
    }

    /// Leaves nothing on the canvas.
    pub fn clear(&self) {
        self.gl.clear_color(0.0, 0.0, 0.0, 0.0);
        self.gl.clear(Gl::COLOR_BUFFER_BIT);
    }

    /// One column of the rectangles. Colours come as parts of 255, patterns as they are.
    fn column(&self, buffer: &WebGlBuffer, place: u32, parts: i32, kind: u32, values: &js_sys::Object) {
        let gl = &self.gl;
        gl.bind_buffer(Gl::ARRAY_BUFFER, Some(buffer));
        gl.buffer_data_with_array_buffer_view(Gl::ARRAY_BUFFER, values, Gl::STREAM_DRAW);
        gl.enable_vertex_attrib_array(place);
        gl.vertex_attrib_pointer_with_i32(place, parts, kind, parts == 4 && kind == Gl::UNSIGNED_BYTE, 0, 0);
        gl.vertex_attrib_divisor(place, 1);
    }
}

/// Whether what calls itself a graphics card is a program: not every browser says so by itself.
fn is_software(gl: &Gl) -> bool {
    // The extension names what is behind the names of the browser; Firefox gives that name without it.
    let names_it = matches!(gl.get_extension("WEBGL_debug_renderer_info"), Ok(Some(_)));
    let parameter = if names_it { UNMASKED_RENDERER } else { Gl::RENDERER };
    let name =
        gl.get_parameter(parameter).ok().and_then(|name| name.as_string()).unwrap_or_default().to_ascii_lowercase();
    ["swiftshader", "llvmpipe", "softpipe", "software", "basic render"].iter().any(|known| name.contains(known))
}

fn program(gl: &Gl) -> Option<WebGlProgram> {
    let program = gl.create_program()?;
    for (kind, source) in [(Gl::VERTEX_SHADER, VERTEX), (Gl::FRAGMENT_SHADER, FRAGMENT)] {
        gl.attach_shader(&program, &shader(gl, kind, source)?);
    }
    gl.link_program(&program);
    let is_linked = gl.get_program_parameter(&program, Gl::LINK_STATUS).is_truthy();
    is_linked.then_some(program)
}

fn shader(gl: &Gl, kind: u32, source: &str) -> Option<WebGlShader> {
    let shader = gl.create_shader(kind)?;
    gl.shader_source(&shader, source);
    gl.compile_shader(&shader);
    Some(shader)
}
