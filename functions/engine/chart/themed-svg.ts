import { escapeHtml } from '#functions/shapes/html-text.ts'
import { findColourToken } from './palette.ts'

/** The accessible names of an SVG: `id` is unique in its page, `title` names it, `description` describes it. */
export interface SvgNames {
  id: string
  title: string
  description: string
}

// Attributes with default values, or without meaning in a static drawing
const silent = [
  / class="[^"]*"/g,
  / font-family="[^"]*"/g,
  / style="[^"]*"/g,
  / pointer-events="[^"]*"/g,
  / cursor="[^"]*"/g,
  / fill-opacity="1"/g,
  / opacity="1"/g,
  / font-weight="(?:normal|400)"/g,
  / transform="translate\(0,0\)"/g,
  // An image has no accessible parts: its title, description and table replace them
  / aria-[\w]+="[^"]*"/g,
  / role="[^"]*"/g,
  / xmlns:xlink="[^"]*"/g,
]

const numeric = new Set([
  'd',
  'transform',
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'cx',
  'cy',
  'r',
  'width',
  'height',
  'dy',
])
const round = (text: string): string =>
  text.replace(/-?\d*\.\d+(?:e-?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100 || 0))

function tidyTag(tag: string, id: string): string {
  let rewritten = tag
  for (const pattern of silent) rewritten = rewritten.replace(pattern, '')
  return rewritten.replace(/ ([\w:-]+)="([^"]*)"/g, (_, name: string, value: string) => {
    if (numeric.has(name)) return ` ${name}="${round(value)}"`
    if (name === 'id') return ` id="${id}-${value}"`
    const token = findColourToken(value)
    if (token && /^(?:fill|stroke|stop-color)$/.test(name)) return ` ${name}="var(${token})"`
    return ` ${name}="${value.replace(/^url\(#/, `url(#${id}-`)}"`
  })
}

// Vega draws a circle as a path of two arcs, twice as long; a scatter plot has thousands
const dot =
  /<path transform="translate\((-?[\d.]+),(-?[\d.]+)\)" d="M([\d.]+),0A\3,\3,0,1,1,-\3,0A\3,\3,0,1,1,\3,0"/g

// Moves the common attributes of circles to their group
function shareLook(dots: string): string {
  const looks = new Set(dots.match(/ r="[^"]*"[^>]*(?=\/>)/g))
  const [look] = looks
  if (looks.size !== 1 || look === undefined) return `<g>${dots}</g>`
  const shared = look.replace(/ r="[^"]*"/, '')
  return `<g${shared}>${dots.replaceAll(`${shared}/>`, '/>')}</g>`
}

/** The contents of a drawing, between its names and its end. */
export interface Drawing {
  viewBox: string
  inside: string
}

/**
 * The contents of Vega's SVG prepared for a page: palette colours as custom properties, numbers rounded to hundredths,
 * unique ids.
 */
export function toDrawing(svg: string, id: string): Drawing {
  const safeId = safe(id)
  const viewBox = /viewBox="([^"]*)"/.exec(svg)?.[1] ?? '0 0 0 0'
  const inner = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'))
  // Only tags are changed: labels that look like colours stay
  const inside = inner
    .replace(/<[^>]*>/g, (tag) => tidyTag(tag, safeId))
    // Removes unfilled backgrounds and foregrounds, and empty groups
    .replace(/<path[^>]* display="none"\/>/g, '')
    .replace(/<path d="M0,0h[\d.]+v[\d.]+h-?[\d.]+Z"\/>/g, '')
    .replace(/<g>(?:<g\/>)*<\/g>|<g\/>/g, '')
    .replace(dot, '<circle cx="$1" cy="$2" r="$3"')
    .replace(/<g>((?:<circle [^>]*\/>){2,})<\/g>/g, (_, dots: string) => shareLook(dots))
  return { viewBox, inside }
}

/** A drawing as an SVG with a name, a description, the reader's font, and a size that follows its container. */
export function frameSvg({ viewBox, inside }: Drawing, { id, title, description }: SvgNames): string {
  const safeId = safe(id)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart-drawing" viewBox="${viewBox}" width="100%"`,
    ` role="img" aria-labelledby="${safeId}-title ${safeId}-description" font-variant="tabular-nums">`,
    `<title id="${safeId}-title">${escapeHtml(title)}</title>`,
    `<desc id="${safeId}-description">${escapeHtml(description)}</desc>`,
    inside,
    '</svg>',
  ].join('')
}

const safe = (id: string) => id.replace(/[^\w-]/g, '-')
