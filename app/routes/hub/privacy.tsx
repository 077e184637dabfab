import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { frameTexts, reportTexts } from '#app/components/hub/texts.ts'
import { hubFrame } from '#app/server/hub-frame.server.ts'
import { errorReportDays } from '#functions/shapes/error-report.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { place, locale } = await hubFrame(args)
  return { title: frameTexts(locale).privacy.title, name: place.displayName, html: place.privacy, locale }
}

export const meta = withSharing<typeof loader>(({ data }) => [{ title: data?.title ?? 'Privacy' }])

/** The organization's privacy policy, and how its hub handles visits. */
export default function Privacy() {
  const { title, name, html, locale } = useLoaderData<typeof loader>()
  const { privacy: w } = frameTexts(locale)
  const facts = [...w.facts, reportTexts(locale).privacy(String(errorReportDays))]
  return (
    <div className="page about">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      {html ? (
        <section aria-labelledby="of-place">
          <h2 id="of-place">{w.ofPlace.replace('{name}', () => name)}</h2>
          <RichText html={html} />
        </section>
      ) : null}
      <section aria-labelledby="of-hub">
        <h2 id="of-hub">{w.ofHub}</h2>
        <div className="prose">
          <ul>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  )
}
