import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { hubSections, toHubSections } from './hub-section.ts'
import { HubSections } from './place.ts'

const refusal = (input: unknown) => v.safeParse(HubSections, input).issues?.map(({ message }) => message)

describe('the sections of a hub', () => {
  it('may be in any order, and none', () => {
    expect(v.parse(HubSections, ['map', 'numbers'])).toEqual(['map', 'numbers'])
    expect(v.parse(HubSections, [])).toEqual([])
  })
  it('are invalid if unknown, duplicate, or not a list', () => {
    expect(refusal(['weather'])).toEqual(['Must be one of numbers, chart, stories, domains, map.'])
    expect(refusal(['map', 'map'])).toEqual(['Must name each section once.'])
    expect(refusal('map')).toHaveLength(1)
    expect(refusal([...hubSections, 'map'])).toContain('Must not have more than 5 sections.')
  })
  it('are all by default, and otherwise the chosen ones that still exist', () => {
    expect(toHubSections(null)).toEqual(hubSections)
    expect(toHubSections([])).toEqual([])
    expect(toHubSections(['map', 'weather', 'map', 'numbers'])).toEqual(['map', 'numbers'])
  })
})
