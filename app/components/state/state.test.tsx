import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { EmptyState } from './empty-state.tsx'
import { ErrorView } from './error-view.tsx'
import { Loader } from './loader.tsx'
import { Maintenance } from './maintenance.tsx'
import { NotFound } from './not-found.tsx'

const text = (element: ReactElement) => renderToStaticMarkup(element).replaceAll('&#x27;', "'")

describe('the error view', () => {
  it.each([
    [
      401,
      'Uh-oh! You don’t have access to this.',
      'Ask your team admin for access, or contact support for help.',
    ],
    [
      403,
      'Uh-oh! You don’t have access to this.',
      'Ask your team admin for access, or contact support for help.',
    ],
    [404, 'Uh-oh! This doesn’t exist.', 'It may have been deleted, or the URL is invalid.'],
    [503, 'Something took longer than expected.', 'Try again in a few, or try adjusting your query.'],
    [500, 'Uh-oh! Something went wrong.', 'Our people are looking into it.'],
    [418, 'Uh-oh! Something went wrong.', 'Our people are looking into it.'],
  ])('of %i says the words of the product', (status, title, sentence) => {
    const html = text(<ErrorView status={status} />)
    expect(html).toContain(`>${title}<`)
    expect(html).toContain(`>${sentence}<`)
    expect(html).toContain('>Try again<')
  })
})

describe('other states', () => {
  it('say the words of the product', () => {
    expect(text(<Maintenance />)).toMatch(/System Maintenance.*Maintenance in progress/)
    expect(text(<Maintenance />)).toContain("We'll be back up and running as soon as possible!")
    expect(text(<NotFound />)).toMatch(/Sorry, that page doesn't exist!.*<form action="\/"><button[^>]*>Back/)
  })

  it('show a spinner of size 48 with a stroke of 4', () => {
    const html = text(<Loader />)
    expect(html).toContain('width="48" height="48"')
    expect(html).toContain('r="22" stroke-width="4"')
    expect(html).toContain('This can take a bit!')
    expect(text(<Loader progress={0.424} />)).toContain('42 %')
  })

  it('offer one action if something is empty', () => {
    expect(text(<EmptyState title="No sources yet" action={<a href="/x">Add one</a>} />)).toMatch(
      /<h2[^>]*>No sources yet<\/h2>.*Add one/,
    )
  })
})
