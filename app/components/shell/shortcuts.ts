import type { NavigationLink } from './navigation.ts'

/** A key sequence, and its target. */
export interface Shortcut {
  keys: readonly string[]
  label: string
  to: string
}

/** The second key of "g …" by target. */
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

/** The shortcuts to a person's screens, in the order of the links. */
export function shortcutsTo(links: readonly NavigationLink[]): Shortcut[] {
  return links.flatMap(({ to, label }) => {
    const keyLetter = letters[to]
    return keyLetter ? [{ keys: ['g', keyLetter], label, to }] : []
  })
}

/** What the pressed keys mean: a shortcut, the beginning of one (`waits`), or nothing. `keysPressed`: the latest last. */
export function meaning(
  keysPressed: readonly string[],
  shortcuts: readonly Shortcut[],
): { shortcut: Shortcut | null; waits: boolean } {
  const begins = ({ keys }: Shortcut) => keysPressed.every((key, i) => keys[i] === key)
  const candidates = shortcuts.filter(begins)
  const shortcut = candidates.find(({ keys }) => keys.length === keysPressed.length) ?? null
  return { shortcut, waits: shortcut === null && candidates.length > 0 }
}

/** Whether the target is a text field, where keys are not shortcuts. */
export function isWriting(target: EventTarget | null): boolean {
  const element = target as Partial<HTMLElement> | null
  return (
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(element?.tagName ?? '') || element?.isContentEditable === true
  )
}
