import { chartTokens, tokenOf } from './palette.ts'
import type { ChartTheme } from './palette.ts'

// What these hold was written by people, so a text that reads like a colour stays what it is
const writtenByPeople = new Set(['domain', 's', 'tip', 'text', 'name', 'labelExpr', 'description'])

/** The same JSON with the colours of a theme in the place of those that stand for a token. */
export function themedSpec(spec: unknown, theme: ChartTheme): unknown {
  if (typeof spec === 'string') {
    const token = tokenOf(spec)
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
