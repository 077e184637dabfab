import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { formatTag } from '#functions/shapes/locale.ts'
import { AboutPage } from './about-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { words } from '#app/components/hub/words.ts'
import { hubFrame } from '#app/server/hub-frame.server.ts'
import { count, toHub } from '#app/server/reading.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { place, frame, locale } = await hubFrame(args)
  const w = words(locale)
  return {
    title: w.aboutPlace(place.displayName),
    html: place.about,
    facts: [
      {
        term: w.indicatorsTitle,
        value: count(frame.indicatorsCount ?? 0, { locale: formatTag(locale) }),
        href: toHub(args.context.ctx)('/domains'),
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
