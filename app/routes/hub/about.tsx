import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { formatTag } from '#functions/shapes/locale.ts'
import { licencesIn } from './about.server.ts'
import { AboutPage } from './about-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { frameTexts, hubTexts } from '#app/components/hub/texts.ts'
import { hubFrame } from '#app/server/hub-frame.server.ts'
import { count, hubPathBuilder } from '#app/server/page-language.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const [{ place, frame, locale }, licences] = await Promise.all([hubFrame(args), licencesIn(args)])
  const w = hubTexts(locale)
  const { publisher, feeds } = frameTexts(locale)
  return {
    title: w.aboutPlace(place.displayName),
    html: place.about,
    contact: place.contact,
    licences,
    feeds: [
      { label: feeds.changes, format: 'Atom', href: '/feed.atom' },
      { label: feeds.changes, format: 'JSON Feed', href: '/feed.json' },
      { label: feeds.changes, format: 'RSS 2.0', href: '/api/feed/rss/2.0' },
      { label: feeds.stories, format: 'Atom', href: '/datastories/feed.atom' },
      { label: feeds.catalogues, format: 'DCAT-AP 3, JSON-LD', href: '/catalog/dcat-ap-3.jsonld' },
      { label: feeds.catalogues, format: 'DCAT-AP 3, Turtle', href: '/catalog/dcat-ap-3.ttl' },
      { label: feeds.catalogues, format: 'DCAT-US 1.1', href: '/data.json' },
    ],
    facts: [
      ...(place.publisher ? [{ term: publisher, value: place.publisher }] : []),
      {
        term: w.indicatorsTitle,
        value: count(frame.indicatorsCount ?? 0, { locale: formatTag(locale) }),
        href: hubPathBuilder(args.context.ctx)('/domains'),
      },
      { term: w.timeZone, value: place.timeZone },
    ],
    locale,
  }
}

export const meta = withSharing<typeof loader>(({ data }) => [{ title: data?.title ?? 'About' }])

export default function About() {
  return <AboutPage {...useLoaderData<typeof loader>()} />
}
