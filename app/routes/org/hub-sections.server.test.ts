import { describe, expect, it } from 'vitest'
import { applySectionChange, type SectionIntent } from './hub-sections.server.ts'
import type { HubSection } from '#functions/shapes/hub-section.ts'

const sections: HubSection[] = ['numbers', 'stories', 'map']
const applyIntent = (intent: SectionIntent, item = '', order = '') =>
  applySectionChange(sections, { intent, item, order })

describe('the sections after an action', () => {
  it('are in the order that was sent', () => {
    expect(applyIntent('arrange', '', 'map,numbers,stories')).toEqual(['map', 'numbers', 'stories'])
  })
  it('an outdated order loses no section, and adds no hidden or unknown one', () => {
    expect(applyIntent('arrange', '', 'map')).toEqual(['map', 'numbers', 'stories'])
    expect(applyIntent('arrange', '', 'chart,map,map,weather,numbers')).toEqual(['map', 'numbers', 'stories'])
    expect(applyIntent('arrange')).toEqual(sections)
  })
  it('move by a step, and stay at the ends', () => {
    expect(applyIntent('move.up', 'stories')).toEqual(['stories', 'numbers', 'map'])
    expect(applyIntent('move.down', 'map')).toEqual(sections)
    expect(applyIntent('move.up', 'weather')).toEqual(sections)
  })
  it('are removed and added, at the end, once', () => {
    expect(applyIntent('section.hide', 'stories')).toEqual(['numbers', 'map'])
    expect(applyIntent('section.show', 'chart')).toEqual([...sections, 'chart'])
    expect(applyIntent('section.show', 'map')).toEqual(sections)
    expect(applyIntent('section.show', 'weather')).toEqual(sections)
  })
  it('can be reset to the defaults', () => {
    expect(applyIntent('section.reset')).toBeNull()
  })
})
