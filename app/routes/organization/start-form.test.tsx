import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StartForm, type StartFormProps } from './start-form.tsx'

const renderForm = (terms: Partial<StartFormProps['terms']>, isWaiting = false) =>
  renderToStaticMarkup(
    <StartForm
      terms={{ by: 'invitation', domains: [], may: null, why: null, left: 5, open: [], ...terms }}
      isWaiting={isWaiting}
      email="ann@elsewhere.example"
      supportUrl="https://support.test"
      publicHost="hubs.test"
    />,
  )

test.each<[Partial<StartFormProps['terms']>, RegExp]>([
  [{ why: 'invitation' }, /who invite people into them/],
  [
    { by: 'domain', domains: ['city.org', 'county.org'], why: 'domain' },
    /city\.org or county\.org\. Yours is ann@elsewhere/,
  ],
  [{ by: 'anyone', why: 'limit', left: 0 }, /You have made 5 organizations/],
  [{ by: 'anyone', why: 'unconfirmed' }, /Confirm your e-mail address first/],
])('%j: says why there is no form, and what to do', (terms, words) => {
  const html = renderForm(terms)
  expect(html).toMatch(words)
  expect(html).not.toContain('<form')
})

test('a person with a pending request is told so, and cannot ask again', () => {
  const html = renderForm({ by: 'approval', may: 'ask' }, true)
  expect(html).toContain('You have asked for one.')
  expect(html).not.toContain('<form')
})
