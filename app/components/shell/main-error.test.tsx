import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ErrorBody, failureIn } from './main-error.tsx'

const createError = (status: number, data: unknown) => ({ status, data, statusText: '', internal: false })

test('"Try again" leads to the same address, with its query', () => {
  const failure = { status: 503, pathname: '/sources/a', search: '?where=city&is=Oakton', requestId: null }
  const html = renderToStaticMarkup(<ErrorBody {...failure} isKnown />)
  expect(html).toContain('href="/sources/a?where=city&amp;is=Oakton"')
  expect(html).not.toContain('Reference')
})

test('a server error shows the reference for support', () => {
  const { status, requestId } = failureIn(createError(500, { requestId: 'a-request' }))
  const html = renderToStaticMarkup(
    <ErrorBody {...{ status, requestId }} pathname="/home" search="" isKnown />,
  )
  expect(html).toContain('Reference <code>a-request</code>')
})

test('client errors and errors without an id show no reference', () => {
  expect(failureIn(createError(404, { requestId: 'a-request' }))).toEqual({ status: 404, requestId: null })
  expect(failureIn(createError(500, null))).toEqual({ status: 500, requestId: null })
  expect(failureIn(new Error('A component threw.'))).toEqual({ status: 500, requestId: null })
})

test('offers the person’s other place that has what was not found, with a button that switches and returns', () => {
  const elsewhere = { id: 'oakton', displayName: 'City of Oakton' }
  const failure = failureIn(createError(404, { elsewhere }))
  const html = renderToStaticMarkup(
    <ErrorBody {...failure} pathname="/insights/a" search="?tab=table" isKnown={false} />,
  )
  expect(html).toContain('This is in City of Oakton.')
  expect(html).toContain('<form method="post" action="/switch"')
  expect(html).toContain('name="placeId" value="oakton"')
  expect(html).toContain('name="to" value="/insights/a?tab=table"')
  expect(html).not.toContain('doesn')
})
