import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { hubSections, sectionsOf } from './hub-section.ts'
import { HubSections } from './place.ts'

const refusal = (given: unknown) => v.safeParse(HubSections, given).issues?.map(({ message }) => message)

describe('the sections of a hub', () => {
  it('are taken in any order, also none', () => {
    expect(v.parse(HubSections, ['map', 'numbers'])).toEqual(['map', 'numbers'])
    expect(v.parse(HubSections, [])).toEqual([])
  })
  it('are refused where one is not there, stands twice, or they are no list', () => {
    expect(refusal(['weather'])).toEqual(['Must be one of numbers, chart, stories, domains, map.'])
    expect(refusal(['map', 'map'])).toEqual(['Must name each section once.'])
    expect(refusal('map')).toHaveLength(1)
    expect(refusal([...hubSections, 'map'])).toContain('Must not have more than 5 sections.')
  })
  it('are all where none were chosen, and those that are still there where some were', () => {
    expect(sectionsOf(null)).toEqual(hubSections)
    expect(sectionsOf([])).toEqual([])
    expect(sectionsOf(['map', 'weather', 'map', 'numbers'])).toEqual(['map', 'numbers'])
  })
})
