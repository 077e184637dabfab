/**
 * Prefixes every id of an SVG and every reference to one: two charts on a page both call their first clip path "clip0", and a browser
 * resolves a duplicate id to the first, which would clip the second chart wrongly.
 */
export function uniqueIds(svg: string, prefix: string): string {
  const ids = new Set([...svg.matchAll(/\sid="([^"]+)"/g)].map((m) => m[1] ?? ''))
  if (ids.size === 0) return svg
  const uniqueId = (id: string) => (ids.has(id) ? `${prefix}-${id}` : id)
  return svg
    .replace(/(\sid=")([^"]+)(")/g, (_, a: string, id: string, b: string) => a + uniqueId(id) + b)
    .replace(/url\((&quot;|'|)#([^)'&]+)\1\)/g, (_, q: string, id: string) => `url(${q}#${uniqueId(id)}${q})`)
    .replace(/((?:xlink:)?href="#)([^"]+)(")/g, (_, a: string, id: string, b: string) => a + uniqueId(id) + b)
    .replace(
      /(\saria-(?:labelledby|describedby)=")([^"]+)(")/g,
      (_, a: string, list: string, b: string) => a + list.split(/\s+/).map(uniqueId).join(' ') + b,
    )
}
