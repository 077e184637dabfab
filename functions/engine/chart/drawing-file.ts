/** The drawings of a figure as a separate file, for pages that refer to it. */
interface DrawingFile {
  /** An SVG with a group for each drawing, `wide` and `narrow`. */
  body: string
  wide: string
  /** The view boxes, from which a page reserves the space. Absent for a single drawing. */
  narrow?: string
}

/**
 * Combines the drawings of a figure, from `chartSvg` and `staticMap`, into one file: `<use href="…#wide">` shows one. It
 * inherits font and colours of the page through custom properties; rules of its style sheet do not apply, so text
 * attributes for `direction` are set here. Titles are left out: the page has them.
 */
export function drawingFile(
  svg: string,
  svgNarrow: string | undefined,
  direction: 'ltr' | 'rtl',
): DrawingFile {
  const wide = part('wide', svg, direction)
  const narrow = svgNarrow === undefined ? null : part('narrow', svgNarrow, direction)
  return {
    body: `<svg xmlns="http://www.w3.org/2000/svg">${wide.group}${narrow?.group ?? ''}</svg>`,
    wide: wide.viewBox,
    ...(narrow ? { narrow: narrow.viewBox } : {}),
  }
}

function part(id: string, svg: string, direction: 'ltr' | 'rtl') {
  const root = svg.slice(0, svg.indexOf('>') + 1)
  const inside = svg.slice(svg.indexOf('</desc>') + '</desc>'.length, svg.lastIndexOf('</svg>'))
  const variant = / font-variant="[^"]*"/.exec(root)?.[0] ?? ''
  // The direction of a text follows its letters; its position was computed from the left.
  const oriented = direction === 'rtl' ? inside.replaceAll('<text', '<text unicode-bidi="plaintext"') : inside
  return {
    viewBox: /viewBox="([^"]*)"/.exec(root)?.[1] ?? '0 0 0 0',
    group: `<g id="${id}"${variant}>${oriented}</g>`,
  }
}
