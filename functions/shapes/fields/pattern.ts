import { RE2JS } from 're2js'
import { translatePattern } from './patternSyntax.ts'

/** A pattern somebody gave us, ready to be looked for in texts. */
interface Pattern {
  /** True if the pattern is found anywhere in the text. */
  test: (text: string) => boolean
}

/** Length of a pattern in UTF-16 units. */
const maxLength = 1000
/** Steps (characters × states, some 20 ns each at worst) that one test may cost; a longer text does not pass. */
const maxSteps = 2_000_000
/** A pattern of so few states is nearly always done in one step a character, so its texts may be longer. */
const smallSize = 32
const maxStepsOfSmall = 32_000_000

/**
 * The pattern, or null if it is none: no text, not a JavaScript pattern, longer than 1,000 characters, or in need of
 * what no linear engine can do (look-around, back references) or of more than some 1,000 states.
 * Matching takes time in proportion to the text, whatever the pattern.
 */
export function compilePattern(source: unknown): Pattern | null {
  if (typeof source !== 'string' || source.length > maxLength) return null
  try {
    // Parsed here for its syntax only; it never runs.
    new RegExp(source)
    const translation = translatePattern(source)
    if (translation === null) return null
    const expression = RE2JS.compile(translation)
    const size = expression.programSize()
    const longest = (size <= smallSize ? maxStepsOfSmall : maxSteps) / size
    return { test: (text) => text.length <= longest && expression.test(text) }
  } catch {
    return null
  }
}
