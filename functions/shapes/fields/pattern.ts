import { RE2JS } from 're2js'
import { translatePattern } from './pattern-syntax.ts'

/** A compiled user-defined pattern. */
interface Pattern {
  /** Whether the pattern matches anywhere in the text. */
  test: (text: string) => boolean
}

/** Maximum length of a pattern in UTF-16 units. */
const maxLength = 1000
/** Maximum steps per test (characters × states, up to about 20 ns each); a longer text does not match. */
const maxSteps = 2_000_000
/** A pattern with so few states is nearly always matched in one step per character, so its texts may be longer. */
const smallSize = 32
const maxStepsOfSmall = 32_000_000

/**
 * Compiles a pattern; null if it is not text, not a JavaScript pattern, longer than 1,000 characters, requires features that no linear
 * engine has (look-around, back references), or more than about 1,000 states. Matching takes linear time, whatever the pattern.
 */
export function compilePattern(source: unknown): Pattern | null {
  if (typeof source !== 'string' || source.length > maxLength) return null
  try {
    // Only checks the syntax; it is never executed.
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
