import { describe, expect, it } from 'vitest'
import { navigation } from './navigation.ts'
import { isWriting, meaning, shortcutsTo } from './shortcuts.ts'

const everything = navigation({
  isSignedIn: true,
  hasPlace: true,
  hasMap: true,
  isOrgAdmin: true,
  isSuperAdmin: true,
})
const shortcuts = shortcutsTo([...everything.top, ...everything.bottom])

describe('shortcuts', () => {
  it('are unique per screen', () => {
    const keys = shortcuts.map((each) => each.keys.join(' '))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toContain('g h')
  })
  it('wait for their second key, and are found by it', () => {
    expect(meaning(['g'], shortcuts)).toEqual({ shortcut: null, waits: true })
    expect(meaning(['g', 'd'], shortcuts).shortcut?.to).toBe('/sources')
    expect(meaning(['g', 'q'], shortcuts)).toEqual({ shortcut: null, waits: false })
    expect(meaning(['x'], shortcuts)).toEqual({ shortcut: null, waits: false })
  })
  it('are not offered for screens a person does not have', () => {
    expect(shortcutsTo([{ to: '/explore', label: 'Explore', icon: 'explore' }])).toEqual([
      { keys: ['g', 'e'], label: 'Explore', to: '/explore' },
    ])
  })
  it('are ignored while typing', () => {
    const element = (tagName: string, isContentEditable = false) =>
      ({ tagName, isContentEditable }) as unknown as EventTarget
    expect(isWriting(element('INPUT'))).toBe(true)
    expect(isWriting(element('DIV', true))).toBe(true)
    expect(isWriting(element('DIV'))).toBe(false)
    expect(isWriting(null)).toBe(false)
  })
})
