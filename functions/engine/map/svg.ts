import type { Position } from 'geojson'

/** Escapes text for an element or a quoted attribute of XML; invalid characters are removed. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}

/** A number with at most one decimal, in the shortest form of SVG: 0.5 is '.5', -0 is '0'. */
export function formatSvgNumber(value: number): string {
  const rounded = Math.round(value * 10) / 10
  return rounded === 0 ? '0' : String(rounded).replace(/^(-?)0\./, '$1.')
}

/**
 * The path of lines or, with `closed`, of rings, in integer steps of `grid` units: draw it inside `scale(grid)`. Shared
 * lines stay shared. Shapes that collapse to a point (or a ring to a line) are left out.
 */
export function buildSvgPath(lines: Position[][], grid: number, closed: boolean): string {
  let path = ''
  for (const line of lines) {
    let [x, y] = [0, 0]
    let [start, steps] = ['', '']
    let count = 0
    line.forEach((position, i) => {
      const nextX = Math.round((position[0] ?? 0) / grid)
      const nextY = Math.round((position[1] ?? 0) / grid)
      if (i === 0) start = `M${nextX}${partSigns(nextY)}`
      else if (nextX === x && nextY === y) return
      // a ring is closed by its z
      else if (!closed || i < line.length - 1) {
        const dx = nextX - x
        steps += `${count === 0 ? `l${dx}` : partSigns(dx)}${partSigns(nextY - y)}`
        count++
      }
      x = nextX
      y = nextY
    })
    if (count >= (closed ? 2 : 1)) path += start + steps + (closed ? 'z' : '')
  }
  return path
}

/** A minus sign separates two numbers without a space. */
export function partSigns(value: number): string {
  return value < 0 ? String(value) : ` ${value}`
}
