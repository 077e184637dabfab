import { chartTokens, findColourToken } from './palette.ts'
import type { ChartTheme } from './palette.ts'

// Keys of user-written text, which is unchanged even where it looks like a colour
const writtenByPeople = new Set(['domain', 's', 'tip', 'text', 'name', 'labelExpr', 'description'])

/** Replaces the colours that identify tokens by those of a theme. */
export function themedSpec(spec: unknown, theme: ChartTheme): unknown {
  if (typeof spec === 'string') {
    const token = findColourToken(spec)
    return token ? chartTokens[theme][token] : spec
  }
  if (Array.isArray(spec)) return spec.map((item) => themedSpec(item, theme))
  if (typeof spec !== 'object' || spec === null) return spec
  return Object.fromEntries(
    Object.entries(spec).map(([key, part]) => [
      key,
      writtenByPeople.has(key) ? part : themedSpec(part, theme),
    ]),
  )
}
