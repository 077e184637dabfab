import { refuse } from './cells.testing.ts'

type Test = (text: string) => boolean

/** Folds the case of each character: none becomes two. */
function folded(text: string): string {
  return Array.from(text, (character) => {
    const lower = character.toLowerCase()
    return Array.from(lower).length === 1 ? lower : character
  }).join('')
}

/** SQL's LIKE: % is any text, _ any character, a backslash escapes the next character. */
export function isLike(pattern: string, anyCase: boolean): Test {
  const letters = Array.from(anyCase ? folded(pattern) : pattern)
  const parts: string[] = []
  for (let i = 0; i < letters.length; i++) {
    const character = letters[i] ?? ''
    if (character === '\\') {
      i += 1
      if (letters[i] === undefined) refuse('ends in a lone backslash')
      parts.push(quoted(letters[i] ?? ''))
    } else parts.push(character === '%' ? '[^]*' : character === '_' ? '[^]' : quoted(character))
  }
  const whole = new RegExp(`^${parts.join('')}$`, 'u')
  return (text) => whole.test(anyCase ? folded(text) : text)
}

const quoted = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace('\\-', '-')

const classes: Record<string, string> = {
  alpha: '\\p{L}',
  digit: '\\d',
  alnum: '\\p{L}\\p{N}',
  space: '\\s',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  punct: '!-\\/:-@\\[-`{-~',
}

/** A POSIX regular expression, matched anywhere in a text: a dot is any character, including a line break. */
export function buildMatcher(pattern: string, anyCase: boolean): Test {
  if (pattern.length > 1000) refuse('too long')
  const translated = pattern
    .replace(/\[:([a-z]+):\]/g, (_, name: string) => classes[name] ?? refuse('no such class'))
    .replaceAll('\\y', '\\b')
    .replaceAll('\\m', '\\b(?=\\w)')
    .replaceAll('\\M', '\\b(?<=\\w)')
    .replaceAll('\\Y', '\\B')
    .replaceAll('\\A', '^')
    .replaceAll('\\Z', '$')
  try {
    const regex = new RegExp(translated, `s${anyCase ? 'i' : ''}${/\\p\{/.test(translated) ? 'u' : ''}`)
    return (text) => regex.test(text)
  } catch {
    return refuse('no pattern')
  }
}
