"""The fragment shader: dice as smoothed solids, each ray marched to the surface it meets.

One pass a picture. Every die is a row of the texture ``dice_rows`` (see ``raster.rows_of``); marks are looked up as
signed distances, so that engraving, thickness and colour are the die's own. Light: up to three lamps with soft
shadows, a drawn room that gives ambient light and reflections, light bounced off the table, light through clear dice.
"""

# ruff: noqa: E501  # formulas in the shader are easier to follow on one line
VERTEX = """
#version 330
in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
"""

FRAGMENT = """
#version 330
uniform sampler2D dice_rows;
uniform sampler2DArray marks;
uniform sampler2D cover;
uniform sampler2D room;
uniform int dice_count;
uniform vec4 balls[8];          // middle and reach of each die
uniform vec4 thing_balls[6];
uniform int thing_count;
uniform int lamp_count;
uniform vec3 thing_start[6];
uniform vec3 thing_end[6];
uniform vec4 thing_shape[6];   // is a rod, radius, yaw, -
uniform vec3 thing_colour[6];
uniform vec3 lamp_towards[3];
uniform vec3 lamp_colour[3];
uniform float lamp_softness[3];
uniform vec3 ambient;
uniform vec3 bounce;
uniform vec3 eye;
uniform mat3 look;              // columns: right, down, forward
uniform float focal;
uniform vec2 frame;
uniform vec4 table;             // span, cos turn, sin turn, gloss
layout(location = 0) out vec4 light;
layout(location = 1) out float which;

vec4 cell(int die, int k) { return texelFetch(dice_rows, ivec2(k, die), 0); }

float hash(vec3 p) { p = fract(p * 0.3183099 + 0.1); p *= 17.0; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float noise(vec3 x) {
    vec3 i = floor(x), f = fract(x); f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash(i), hash(i + vec3(1,0,0)), f.x), mix(hash(i + vec3(0,1,0)), hash(i + vec3(1,1,0)), f.x), f.y),
               mix(mix(hash(i + vec3(0,0,1)), hash(i + vec3(1,0,1)), f.x), mix(hash(i + vec3(0,1,1)), hash(i + vec3(1,1,1)), f.x), f.y), f.z);
}
float cloud(vec3 p) { return 0.55 * noise(p) + 0.3 * noise(p * 2.1 + 5.0) + 0.15 * noise(p * 4.3 + 9.0); }

struct Die { mat3 turn; vec3 place; float inner; float ball; float sharp; int faces; float reach; };

Die die_of(int n) {
    vec4 a = cell(n, 0), b = cell(n, 1), c = cell(n, 2), d = cell(n, 3);
    Die die;
    die.place = a.xyz; die.inner = a.w;
    die.turn = transpose(mat3(b.xyz, c.xyz, d.xyz));
    die.ball = b.w; die.sharp = c.w; die.faces = int(d.w + 0.5); die.reach = cell(n, 9).x;
    return die;
}

// Distance to the smoothed solid at p (inner radii); slope receives its gradient, face the nearest face.
float solid(int n, Die die, vec3 p, out vec3 slope, out int face) {
    float sum = 0.0, top = -1e9; slope = vec3(0.0); face = 0;
    for (int k = 0; k < die.faces; k++) {
        float out_by = dot(cell(n, 10 + 3 * k).xyz, p) - 1.0;
        if (out_by > top) { top = out_by; face = k; }
    }
    for (int k = 0; k < die.faces; k++) {
        vec3 normal = cell(n, 10 + 3 * k).xyz;
        float weight = exp(die.sharp * (dot(normal, p) - 1.0 - top));
        sum += weight; slope += weight * normal;
    }
    float far = top + log(sum) / die.sharp;
    slope = normalize(slope);
    float ball = length(p) - die.ball;
    if (ball > far) { far = ball; slope = normalize(p); }
    return far;
}

bool near_ball(vec3 from, vec3 along, vec3 middle, float radius, out float enter, out float leave) {
    vec3 to = middle - from; float b = dot(to, along), c = dot(to, to) - radius * radius, d = b * b - c;
    if (d < 0.0) return false;
    d = sqrt(d); enter = b - d; leave = b + d;
    return leave > 0.0;
}

// Meets die n? Distance along the ray in mm, and the point and slope in the die's own frame.
bool meet(int n, vec3 from, vec3 along, out float way, out vec3 p, out vec3 slope, out int face) {
    float enter, leave;
    if (!near_ball(from, along, balls[n].xyz, balls[n].w, enter, leave)) return false;
    Die die = die_of(n);
    vec3 o = transpose(die.turn) * (from - die.place) / die.inner, d = transpose(die.turn) * along;
    float t0 = max(enter, 0.0) / die.inner, t1 = leave / die.inner;
    for (int k = 0; k < die.faces; k++) {
        vec3 normal = cell(n, 10 + 3 * k).xyz; float down = dot(normal, d), high = dot(normal, o) - 1.0;
        if (down < -1e-5) t0 = max(t0, -high / down); else if (down > 1e-5) t1 = min(t1, -high / down); else if (high > 0.0) return false;
    }
    if (t0 > t1) return false;
    float t = t0;
    for (int step = 0; step < 14; step++) {
        p = o + t * d;
        float far = solid(n, die, p, slope, face);
        if (far < 0.004) { way = t * die.inner; return true; }
        t += far;
        if (t > t1) return false;
    }
    way = t * die.inner; return true;
}

float thing_far(int k, vec3 p) {
    vec4 shape = thing_shape[k];
    if (shape.x > 0.5) {
        vec3 a = p - thing_start[k], b = thing_end[k] - thing_start[k];
        return length(a - b * clamp(dot(a, b) / dot(b, b), 0.0, 1.0)) - shape.y;
    }
    vec3 q = p - thing_start[k]; float c = cos(shape.z), s = sin(shape.z);
    q = abs(vec3(c * q.x + s * q.y, -s * q.x + c * q.y, q.z)) - thing_end[k] + shape.y;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - shape.y;
}
bool meet_thing(int k, vec3 from, vec3 along, out float way) {
    float enter, leave;
    if (!near_ball(from, along, thing_balls[k].xyz, thing_balls[k].w, enter, leave)) return false;
    way = max(enter, 0.0);
    for (int step = 0; step < 32; step++) {
        float far = thing_far(k, from + way * along);
        if (far < 0.05) return true;
        way += far;
        if (way > leave) return false;
    }
    return false;
}

float lit(vec3 from, vec3 towards, float softness, int own) {
    float open = 1.0;
    for (int n = 0; n < dice_count; n++) {
        float enter, leave;
        if (n == own || !near_ball(from, towards, balls[n].xyz, balls[n].w * (1.0 + softness), enter, leave)) continue;
        Die die = die_of(n); vec3 slope; int face; float way = max(enter, 0.4);
        float pass = 1.0;
        for (int step = 0; step < 12 && way < leave; step++) {
            vec3 p = transpose(die.turn) * (from + way * towards - die.place) / die.inner;
            float far = solid(n, die, p, slope, face) * die.inner;
            pass = min(pass, 0.5 + 0.5 * far / (softness * way + 0.02));
            if (pass <= 0.0) break;
            way += max(far, die.inner * 0.12);
        }
        pass = clamp(pass, 0.0, 1.0); pass = pass * pass * (3.0 - 2.0 * pass);
        open *= mix(pass, 1.0, 0.55 * cell(n, 8).y);
    }
    for (int k = 0; k < thing_count; k++) {
        float enter, leave;
        if (!near_ball(from, towards, thing_balls[k].xyz, thing_balls[k].w * (1.0 + softness), enter, leave)) continue;
        float way = max(enter, 1.0), pass = 1.0;
        for (int step = 0; step < 12 && way < leave; step++) {
            float far = thing_far(k, from + way * towards);
            pass = min(pass, 0.5 + 0.5 * far / (softness * way + 0.05));
            if (pass <= 0.0) break;
            way += max(far, 1.5);
        }
        open *= clamp(pass, 0.0, 1.0);
    }
    return open;
}

vec3 room_light(vec3 d) {
    vec2 at = vec2(atan(d.y, d.x) / 6.2831853 + 0.5, acos(clamp(d.z, -1.0, 1.0)) / 3.1415927);
    return textureLod(room, at, 0.0).rgb;
}
vec3 cover_at(vec2 p) {
    vec2 q = vec2(table.y * p.x + table.z * p.y, -table.z * p.x + table.y * p.y) / table.x;
    return texture(cover, vec2(q.x, -q.y) + 0.5).rgb;
}
float shut_in(vec3 p, vec3 normal, int own) {
    float open = 1.0;
    for (int n = 0; n < dice_count; n++) {
        if (n == own) continue;
        vec3 to = balls[n].xyz - p; float far = length(to), inner = 0.62 * balls[n].w;
        float share = inner * inner * 1.3 / max(far * far, inner * inner);
        open *= 1.0 - 0.75 * share * clamp(dot(normal, to / far) * 0.5 + 0.5, 0.0, 1.0);
    }
    return open;
}
vec3 shade(vec3 p, vec3 normal, vec3 albedo, vec3 shine, float rough, int own, vec3 along, float open) {
    vec3 sum = albedo * open * (ambient * (0.65 + 0.35 * normal.z) + bounce * (0.5 - 0.5 * normal.z) * 0.8);
    for (int k = 0; k < lamp_count; k++) {
        float face_on = dot(normal, lamp_towards[k]);
        if (face_on <= 0.0) continue;
        float open_to = lit(p + normal * 0.15, lamp_towards[k], lamp_softness[k], own);
        vec3 half_way = normalize(lamp_towards[k] - along);
        float wide = rough * rough + 0.35 * lamp_softness[k] * lamp_softness[k] + 0.0008;
        float c = max(dot(normal, half_way), 0.0); float d = c * c * (wide - 1.0) + 1.0;
        float gleam = wide / (d * d) * 0.12;
        sum += open_to * lamp_colour[k] * face_on * (albedo + shine * gleam);
    }
    return sum;
}
vec3 fresnel(vec3 base, float cosine) { return base + (1.0 - base) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); }

float mark_at(int n, int face, vec3 p, out vec2 lean) {
    vec4 a = cell(n, 10 + 3 * face), b = cell(n, 11 + 3 * face), c = cell(n, 12 + 3 * face);
    float size = cell(n, 8).w * b.w;
    vec3 right = c.xyz, up = cross(a.xyz, right);
    vec2 at = vec2(dot(p - b.xyz, right), -dot(p - b.xyz, up)) / size;
    lean = vec2(0.0);
    if (max(abs(at.x), abs(at.y)) > 1.0) return -1.0;
    vec2 uv = at * 0.5 + 0.5; float e = 1.0 / 64.0;
    float here = texture(marks, vec3(uv, a.w)).r;
    lean = vec2(texture(marks, vec3(uv + vec2(e, 0), a.w)).r - texture(marks, vec3(uv - vec2(e, 0), a.w)).r,
                texture(marks, vec3(uv + vec2(0, e), a.w)).r - texture(marks, vec3(uv - vec2(0, e), a.w)).r);
    return (here - 0.502) * 2.0 + cell(n, 8).z;
}

vec3 paint(int n, int face, vec3 p, out vec2 lean, out float inked) {
    vec4 body = cell(n, 4), second = cell(n, 5), ink = cell(n, 6), one = cell(n, 7);
    float far = mark_at(n, face, p, lean);
    float blur = 0.05;
    inked = smoothstep(-blur, blur, far);
    vec3 at = p / second.w + float(n) * 13.0;
    float veins = cloud(at + 1.5 * cloud(at * 0.6 + 3.0));
    float edge = smoothstep(0.42, 0.62, veins);
    vec3 colour = mix(body.rgb, second.rgb, edge * body.w);
    vec3 paint_colour = cell(n, 12 + 3 * face).w > 0.5 ? one.rgb : ink.rgb;
    return mix(colour, paint_colour, inked);
}

vec3 die_light(int n, int face, vec3 p, vec3 slope, vec3 hit, vec3 along) {
    Die die = die_of(n); vec4 extra = cell(n, 8); vec4 ink = cell(n, 6); vec4 one = cell(n, 7);
    vec2 lean; float inked; vec3 albedo = paint(n, face, p, lean, inked);
    vec3 right = cell(n, 12 + 3 * face).xyz, up = cross(cell(n, 10 + 3 * face).xyz, right);
    // The groove's walls face inwards: brightness gradient of the distance field points to the middle of the stroke.
    vec3 own = normalize(slope - ink.w * 2.2 * (right * -lean.x + up * lean.y) * smoothstep(0.0, 0.05, inked));
    vec3 normal = normalize(die.turn * own);
    float low = clamp((hit.z / die.inner) * 0.9 + 0.25, 0.0, 1.0);
    float open = shut_in(hit, normal, n) * mix(1.0, low, 0.6 * clamp(0.7 - normal.z, 0.0, 1.0));
    float gloss = one.w * (1.0 - 0.6 * inked);
    float rough = mix(0.55, 0.07, gloss);
    vec3 base = mix(vec3(0.04), albedo, extra.x);
    vec3 shine = fresnel(base, -dot(normal, along));
    vec3 matt = albedo * (1.0 - extra.x);
    float through = extra.y * (1.0 - inked);
    vec3 sum = shade(hit, normal, matt * (1.0 - through), shine * mix(0.3, 1.0, gloss), rough, n, along, open);
    vec3 mirror = reflect(along, normal);
    vec3 seen = mirror.z > 0.0 ? room_light(mirror) : bounce;
    sum += shine * seen * mix(0.25, 1.0, gloss) * open;
    if (through > 0.01) {
        vec3 inside = refract(along, normal, 1.0 / 1.45);
        vec3 d = transpose(die.turn) * inside; float way = 4.0; int far_face = face;
        for (int k = 0; k < die.faces; k++) {
            vec3 side = cell(n, 10 + 3 * k).xyz; float down = dot(side, d);
            if (down > 1e-4) { float t = (1.0 - dot(side, p)) / down; if (t < way) { way = t; far_face = k; } }
        }
        way = max(way, 0.0);
        vec3 q = p + way * d, q_world = die.turn * q * die.inner + die.place;
        vec2 no; float far_ink; vec3 back = paint(n, far_face, q, no, far_ink);
        vec3 beyond = inside.z < -0.05 ? cover_at(q_world.xy + inside.xy * max(-q_world.z / inside.z, 0.0)) * (bounce / max(dot(bounce, vec3(0.33)), 0.02)) * dot(ambient, vec3(0.5))
                                       : room_light(inside) * 0.6;
        vec3 tint = pow(clamp(cell(n, 4).rgb * 1.4 + 0.08, 0.02, 1.0), vec3(0.35 + 0.5 * way));
        vec3 glow = mix(beyond, back * (ambient + 0.3), far_ink * 0.85) * tint;
        vec3 lamps = vec3(0.0);
        for (int k = 0; k < lamp_count; k++) lamps += lamp_colour[k] * 0.18;
        sum += through * (1.0 - shine) * (glow + tint * (lamps + ambient * 0.15));
    }
    return sum;
}

void main() {
    vec2 at = (gl_FragCoord.xy - 0.5 * frame) / frame.x;
    vec3 along = normalize(look * vec3(at.x, at.y, focal));
    float nearest = 1e9; int die = -1, thing = -1, face = 0; vec3 p, slope;
    if (along.z < -1e-4) nearest = -eye.z / along.z;
    for (int n = 0; n < dice_count; n++) {
        float way; vec3 q, s; int f;
        if (meet(n, eye, along, way, q, s, f) && way < nearest) { nearest = way; die = n; face = f; p = q; slope = s; }
    }
    for (int k = 0; k < thing_count; k++) {
        float way;
        if (meet_thing(k, eye, along, way) && way < nearest) { nearest = way; thing = k; die = -1; }
    }
    vec3 hit = eye + nearest * along;
    which = die >= 0 ? float(die + 1) / 255.0 : 0.0;
    if (die >= 0) { light = vec4(die_light(die, face, p, slope, hit, along), 1.0); return; }
    if (thing >= 0) {
        vec3 e = vec3(0.05, 0.0, 0.0);
        vec3 normal = normalize(vec3(thing_far(thing, hit + e.xyy) - thing_far(thing, hit - e.xyy),
            thing_far(thing, hit + e.yxy) - thing_far(thing, hit - e.yxy), thing_far(thing, hit + e.yyx) - thing_far(thing, hit - e.yyx)));
        vec3 colour = thing_colour[thing] * (0.75 + 0.5 * cloud(hit * 0.25));
        light = vec4(shade(hit, normal, colour, vec3(0.04), 0.4, -1, along, shut_in(hit, normal, -1)), 1.0); return;
    }
    if (nearest > 1e8) { light = vec4(room_light(along), 1.0); return; }
    vec3 up = vec3(0, 0, 1), shine = fresnel(vec3(0.04), -along.z) * table.w;
    vec3 sum = shade(hit, up, cover_at(hit.xy), shine, mix(0.5, 0.12, table.w), -1, along, shut_in(hit, up, -1));
    light = vec4(sum + shine * room_light(reflect(along, up)) * 0.7, 1.0);
}
"""
