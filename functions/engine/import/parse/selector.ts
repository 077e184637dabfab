import { UnreadableError } from '../row.ts'

/** JSONPath brackets: every member, an index, or a quoted key. */
const bracketed =
  /\[\s*(?:(?<all>\*?)|(?<index>\d+)|'(?<single>(?:\\.|[^'\\])*)'|"(?<double>(?:\\.|[^"\\])*)")\s*\]/y

/**
 * Parses a dotted path; `\.` is a literal dot, a leading `$` (or a leading dot) is the document itself. Accepts JSONPath
 * for the same path: `$.a.b[*]`, `a.b[]`, `$['a']["b"][0]`. Other brackets are literal. Unreadable for an empty step,
 * and for filters by value.
 */
export function parseSelector(selector: string): string[] {
  const text = selector.trim().replace(/^\$?\.(?=[^.])|^\$(?=\[|$)/, '')
  if (/\[\s*\?/.test(text))
    throw new UnreadableError(
      `The selector "${selector}" chooses by values, which selectors do not: choose the whole list, as in "data.*".`,
    )
  if (text === '' && selector.trim() !== '') return []
  const steps: string[] = []
  let name = ''
  /** After a bracket a step is complete, so only a dot or another bracket may follow. */
  let isComplete = false
  const end = () => {
    if (!isComplete && name === '') throw new UnreadableError(emptyStep(selector))
    if (!isComplete) steps.push(name)
    name = ''
    isComplete = false
  }
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    bracketed.lastIndex = i
    const groups = character === '[' ? bracketed.exec(text)?.groups : undefined
    if (groups) {
      if (name !== '') steps.push(name)
      steps.push(bracketStep(groups))
      name = ''
      isComplete = true
      i = bracketed.lastIndex - 1
    } else if (character === '.') {
      end()
      // In `a.['b']` the dot is redundant.
      bracketed.lastIndex = i + 1
      isComplete = bracketed.test(text)
    } else {
      name += character === '\\' && i + 1 < text.length ? text.charAt((i += 1)) : character
      isComplete = false
    }
  }
  end()
  return steps
}

const emptyStep = (selector: string) =>
  `The selector "${selector}" has an empty step.${selector.includes('..') ? ' Name each step: one that looks in every depth (..) is not understood.' : ''}`

function bracketStep({ all, index, single, double }: Record<string, string | undefined>): string {
  if (all !== undefined) return '*'
  return index ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')
}

/** Formats a path as a selector. */
export function selectorText(path: string[]): string {
  return path.map((step) => step.replace(/[\\.[]/g, '\\$&')).join('.')
}

/** Whether the steps of a selector match a path: `*` is any step. */
export function isSelected(steps: string[], path: string[], depth: number): boolean {
  return steps.length === depth && steps.every((step, i) => step === '*' || step === path[i])
}
