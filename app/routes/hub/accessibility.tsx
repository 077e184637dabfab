import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { accessibilityResults } from './accessibility-results.server.ts'
import { AccessibilityPage } from './accessibility-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { frameTexts } from '#app/components/hub/texts.ts'
import { hubFrame } from '#app/server/hub-frame.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { place, locale } = await hubFrame(args)
  return {
    title: frameTexts(locale).accessibility.title,
    name: place.displayName,
    contact: place.contact,
    results: accessibilityResults(),
    locale,
  }
}

export const meta = withSharing<typeof loader>(({ data }) => [{ title: data?.title ?? 'Accessibility' }])

export default function Accessibility() {
  return <AccessibilityPage {...useLoaderData<typeof loader>()} />
}
