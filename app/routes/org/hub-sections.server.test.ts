import { describe, expect, it } from 'vitest'
import { changedSections, type SectionIntent } from './hub-sections.server.ts'
import type { HubSection } from '#functions/shapes/hub-section.ts'

const shown: HubSection[] = ['numbers', 'stories', 'map']
const asked = (intent: SectionIntent, item = '', order = '') =>
  changedSections(shown, { intent, item, order })

describe('the sections after an action', () => {
  it('are in the order that was sent', () => {
    expect(asked('arrange', '', 'map,numbers,stories')).toEqual(['map', 'numbers', 'stories'])
  })
  it('an outdated order loses no section, and adds no hidden or unknown one', () => {
    expect(asked('arrange', '', 'map')).toEqual(['map', 'numbers', 'stories'])
    expect(asked('arrange', '', 'chart,map,map,weather,numbers')).toEqual(['map', 'numbers', 'stories'])
    expect(asked('arrange')).toEqual(shown)
  })
  it('move by a step, and stay at the ends', () => {
    expect(asked('move.up', 'stories')).toEqual(['stories', 'numbers', 'map'])
    expect(asked('move.down', 'map')).toEqual(shown)
    expect(asked('move.up', 'weather')).toEqual(shown)
  })
  it('are removed and added, at the end, once', () => {
    expect(asked('section.hide', 'stories')).toEqual(['numbers', 'map'])
    expect(asked('section.show', 'chart')).toEqual([...shown, 'chart'])
    expect(asked('section.show', 'map')).toEqual(shown)
    expect(asked('section.show', 'weather')).toEqual(shown)
  })
  it('can be reset to the defaults', () => {
    expect(asked('section.reset')).toBeNull()
  })
})
