/** The drawings of a figure as a file of their own, for pages that show it by reference. */
interface DrawingFile {
  /** An SVG with a group for each drawing, `wide` and `narrow`. */
  body: string
  wide: string
  /** What a page needs to keep their room: the view boxes. Absent where there is one drawing only. */
  narrow?: string
}

/**
 * Puts the drawings of a figure, as `chartSvg` and `staticMap` give them, into one file: `<use href="…#wide">` shows one. It has
 * the page's font and colours there, since custom properties are inherited by what a page refers to; rules of its style
 * sheet are not, so what `direction` asks of texts stands on them. Names are left out: the page says them.
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
  // A text runs as its letters do; where it stands was computed from the left.
  const oriented = direction === 'rtl' ? inside.replaceAll('<text', '<text unicode-bidi="plaintext"') : inside
  return {
    viewBox: /viewBox="([^"]*)"/.exec(root)?.[1] ?? '0 0 0 0',
    group: `<g id="${id}"${variant}>${oriented}</g>`,
  }
}
