import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { firstScript, firstScriptHash } from './first-script.ts'

/** What the script leaves on the root element of a browser whose storage has this. */
function ranWith(stored: Record<string, string> | null) {
  const classes: string[] = []
  const dataset: Record<string, string> = {}
  const documentElement = { dataset, classList: { add: (name: string) => classes.push(name) } }
  const localStorage = {
    getItem(name: string) {
      if (!stored) throw new Error('Storage is refused.')
      return stored[name] ?? null
    },
  }
  runInNewContext(firstScript, { document: { documentElement }, localStorage })
  return { classes, ...dataset }
}

test('the policy names the script that stands in the pages', () => {
  expect(`sha256-${createHash('sha256').update(firstScript).digest('base64')}`).toBe(firstScriptHash)
})

test('sets what was chosen before, and nothing where nothing was or storage is refused', () => {
  expect(ranWith({ theme: 'dark-theme' })).toEqual({ classes: ['dark-theme'], scripts: '' })
  expect(ranWith({ theme: 'light-theme' })).toEqual({ classes: [], scripts: '', theme: 'light' })
  expect(ranWith({ sidebar: 'collapsed' })).toEqual({ classes: [], scripts: '', sidebar: 'collapsed' })
  expect(ranWith({ theme: 'x onload=1', sidebar: 'open' })).toEqual({ classes: [], scripts: '' })
  expect(ranWith(null)).toEqual({ classes: [], scripts: '' })
})
