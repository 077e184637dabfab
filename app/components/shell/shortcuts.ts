import type { NavigationLink } from './navigation.ts'

/** Keys pressed one after the other, and where they lead. */
export interface Shortcut {
  keys: readonly string[]
  label: string
  to: string
}

/** The second key of "g …", by where it leads. */
const letters: Record<string, string> = {
  '/home': 'h',
  '/collections': 'i',
  '/map': 'm',
  '/explore': 'e',
  '/sources': 'd',
  '/media-library': 'l',
  '/pages': 'p',
  '/activity': 'a',
  '/team': 't',
  '/org/manage': 'o',
}

/** The shortcuts to the screens that a person has, in the order of the links. */
export function shortcutsTo(links: readonly NavigationLink[]): Shortcut[] {
  return links.flatMap(({ to, label }) => {
    const keyLetter = letters[to]
    return keyLetter ? [{ keys: ['g', keyLetter], label, to }] : []
  })
}

/**
 * What the keys pressed so far mean: a shortcut, that one may follow (`waits`), or nothing. `keysPressed`: the last key at the
 * end.
 */
export function meaning(
  keysPressed: readonly string[],
  shortcuts: readonly Shortcut[],
): { shortcut: Shortcut | null; waits: boolean } {
  const begins = ({ keys }: Shortcut) => keysPressed.every((key, i) => keys[i] === key)
  const candidates = shortcuts.filter(begins)
  const shortcut = candidates.find(({ keys }) => keys.length === keysPressed.length) ?? null
  return { shortcut, waits: shortcut === null && candidates.length > 0 }
}

/** Whether a key goes to a field one writes in, and is no shortcut then. */
export function isWriting(target: EventTarget | null): boolean {
  const element = target as Partial<HTMLElement> | null
  return (
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(element?.tagName ?? '') || element?.isContentEditable === true
  )
}
