import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useFocusRestoration } from '#app/client/use-focus-restoration.ts'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from '@remix-run/react'
import { useContext, type ReactNode } from 'react'
import { hubAssets } from 'virtual:hub-assets'
import { firstScript } from '#functions/shapes/first-script.ts'
import { defaultLocale, getTextDirection, type Locale } from '#functions/shapes/locale.ts'
import { maintenanceWords } from '#functions/shapes/maintenance.ts'
import { hubTexts } from './components/hub/texts.ts'
import { titleIn } from './components/shell/page-title.ts'
import { errorKind, isDown } from './components/state/error-texts.ts'
import { NonceContext } from './components/nonce.ts'
import { RootError } from './root-error.tsx'
import { hubCss } from './server/hub-css.server.ts'
import { hubFrame } from './server/hub-frame.server.ts'
import { mainFrame } from './server/main-frame.server.ts'

/** What every page needs: which kind of site this is, and its frame. */
export async function loader(args: LoaderFunctionArgs) {
  const { site } = args.context.ctx
  return site.mode === 'hub'
    ? { mode: 'hub' as const, hub: await hubFrame(args), css: hubCss, main: null }
    : { mode: 'main' as const, hub: null, css: null, main: await mainFrame(args) }
}

/** For pages that have no title of their own: those shown instead of one. */
export const meta: MetaFunction<typeof loader> = ({ data, error, matches, location }) => [
  {
    title: error
      ? titleIn(matches, titleOfError(error, data?.hub?.locale ?? defaultLocale, location.pathname, data))
      : 'Commonplace',
  },
]

function titleOfError(error: unknown, locale: Locale, pathname: string, data: object | undefined): string {
  const status = isRouteErrorResponse(error) ? error.status : 500
  const isHub = (data as { hub?: object | null } | undefined)?.hub
  if (!isHub && isDown({ status, pathname, hasFrame: data !== undefined })) return maintenanceWords.tag
  const { errorTitles } = hubTexts(locale)
  const kind = errorKind(status)
  return kind === 'slow' ? errorTitles.broken : errorTitles[kind]
}

export { revalidateFrame as shouldRevalidate } from './client/drafts/client-handlers.ts'

export function useRoot() {
  return useRouteLoaderData<typeof loader>('root')
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRoot()
  return root?.mode === 'hub' ? (
    <HubDocument>{children}</HubDocument>
  ) : (
    <MainDocument>{children}</MainDocument>
  )
}

/**
 * A document without a framework, whole in itself: its styles and the place's colours stand in it, so it is drawn when it is
 * there; small scripts only add.
 */
function HubDocument({ children }: { children: ReactNode }) {
  const root = useRoot()
  const hub = root?.hub
  const locale = hub?.locale ?? defaultLocale
  return (
    <html lang={locale} dir={getTextDirection(locale)} data-script={hubAssets.script}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        {hub ? <link rel="canonical" href={hub.canonicalUrl} /> : null}
        {hub?.alternates.map(({ language, href }) => (
          <link key={language} rel="alternate" hrefLang={language} href={href} />
        ))}
        {hub ? <meta property="og:locale" content={hub.openGraph} /> : null}
        {/* Without one browsers take /favicon.ico, which has the letter of the place: when the page is done, not before. */}
        {hub?.icon ? <link rel="icon" href={hub.icon} /> : null}
        {hub ? (
          <>
            <link rel="manifest" href={`${hub.frame.base ?? ''}/site.webmanifest`} />
            <link
              rel="search"
              type="application/opensearchdescription+xml"
              title={hub.place.displayName}
              href={`${hub.frame.base ?? ''}/opensearch.xml`}
            />
          </>
        ) : null}
        {root?.css ? (
          <style dangerouslySetInnerHTML={{ __html: root.css }} />
        ) : (
          <link rel="stylesheet" href={hubAssets.style} />
        )}
        {hub ? <style dangerouslySetInnerHTML={{ __html: hub.themeCss }} /> : null}
        <script dangerouslySetInnerHTML={{ __html: firstScript }} />
      </head>
      <body>{children}</body>
    </html>
  )
}

function MainDocument({ children }: { children: ReactNode }) {
  useFocusRestoration()
  const nonce = useContext(NonceContext)
  const themeCss = useRoot()?.main?.themeCss
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Links />
        {themeCss ? <style dangerouslySetInnerHTML={{ __html: themeCss }} /> : null}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstScript }} />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export { RootError as ErrorBoundary }
