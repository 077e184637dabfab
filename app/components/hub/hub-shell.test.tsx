import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { hubLinks } from './hub-menu.tsx'
import { HubShell } from './hub-shell.tsx'
import type { HubFrame } from './hub-shell.tsx'

const frame: HubFrame = {
  place: { id: 'seattle-wa', displayName: 'City of Seattle', hasMap: true },
  indicatorsCount: 1284,
  currentPath: '/domains/weather/source/s1',
  locale: 'en',
}
const shell = (more: Partial<HubFrame> = {}) =>
  renderToStaticMarkup(
    <HubShell {...frame} {...more}>
      <h1>Rain</h1>
    </HubShell>,
  )

describe('the frame of a hub page', () => {
  it('starts with a skip link to the content', () => {
    expect(shell()).toMatch(/^<div class="hub"><a class="skip-link" href="#content">/)
    expect(shell()).toContain('<main class="hub-main" id="content" tabindex="-1"><h1>Rain</h1></main>')
  })

  it('shows the number of sources and searches without scripts', () => {
    const html = shell({ searchQuery: '"rain" & <wind>' })
    expect(html).toContain('1,284 indicators')
    expect(html).toMatch(/<form action="\/search" method="get" role="search"/)
    expect(html).toContain('placeholder="Search domains, indicators, maps, stories, etc."')
    expect(html).toContain('name="search"')
    expect(html).toContain('value="&quot;rain&quot; &amp; &lt;wind&gt;"')
  })

  it('links the sections, Maps only with a map, and marks the current one', () => {
    expect(hubLinks(frame).map((link) => [link.label, link.href, link.isCurrent])).toEqual([
      ['Data Stories', '/datastories', false],
      ['Domains Data', '/domains', true],
      ['Maps', '/map', false],
      ['About', '/about', false],
    ])
    const noMap = { ...frame, place: { ...frame.place, hasMap: false }, base: '/es' }
    expect(hubLinks(noMap).map((link) => link.href)).toEqual(['/es/datastories', '/es/domains', '/es/about'])
  })

  it('lists data types with their sources, the current one open', () => {
    const html = shell({
      sidebar: [
        { id: 'trees', name: 'Trees', sources: [] },
        { id: 'weather', name: 'Weather', sources: [{ id: 's1', name: 'Rain' }] },
      ],
    })
    expect(html).toContain('<details><summary>Trees</summary>')
    expect(html).toContain('<details open=""><summary>Weather</summary>')
    expect(html).toContain('<a href="/domains/weather/source/s1" aria-current="page">Rain</a>')
  })

  it('hides what requires scripts, and needs no inline style or script', () => {
    const html = shell({
      locales: [
        { locale: 'en', label: 'English', href: '/' },
        { locale: 'es', label: 'Español', href: '/es' },
      ],
    })
    for (const attribute of ['data-theme-toggle', 'data-sidebar-toggle']) {
      expect(html).toMatch(new RegExp(`<button[^>]*${attribute}=""[^>]*hidden=""`))
    }
    expect(html).not.toMatch(/ style=|<script|<style|\son[a-z]+=/)
  })
})
