import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { AboutPage } from '#app/components/hub/about-page.tsx'
import { hubFrame } from '#app/server/hub-frame.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { place, frame, locale } = await hubFrame(args)
  return {
    title: `About ${place.displayName}`,
    html: place.about,
    facts: [
      { term: 'Indicators', value: frame.indicatorsCount ?? '', href: '/domains' },
      { term: 'Time zone', value: place.timeZone },
    ],
    locale,
  }
}

export const meta = ({ data }: { data?: { title: string } }) => [{ title: data?.title ?? 'About' }]

export default function About() {
  return <AboutPage {...useLoaderData<typeof loader>()} />
}
