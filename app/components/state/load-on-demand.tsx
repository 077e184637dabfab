import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

interface OnDemand<Props> {
  /** Renders the component once its script is loaded. Until then it renders `meanwhile`, by default nothing. */
  Component: (props: Props & { meanwhile?: ReactNode }) => ReactNode
  /** Begins to load the script, before the component is rendered. */
  preload: () => void
}

/**
 * A component whose script a screen does not load with itself: menus and dialogs, which most visits never open. If the script cannot
 * be loaded (no connection, or a new version was deployed), `Fallback` is rendered in its place until the page is loaded again, so that
 * the screen and what was typed in it stay.
 */
export function loadOnDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType<Props> = NotLoaded,
): OnDemand<Props> {
  const Loaded = lazy(async () => {
    const { default: Part } = await load().catch(() => ({ default: Fallback }))
    // React's type of a lazy component cannot hold a generic one; the only caller is below.
    return { default: ({ props }: { props: object }) => <Part {...(props as Props)} /> }
  })
  return {
    Component: ({ meanwhile = null, ...props }) => (
      <Suspense fallback={meanwhile}>
        <Loaded props={props} />
      </Suspense>
    ),
    preload: () => void load().catch(() => undefined),
  }
}

function NotLoaded() {
  return (
    <p className="notice is-warning" role="alert">
      This part could not be loaded. Reload the page to try again.
    </p>
  )
}
