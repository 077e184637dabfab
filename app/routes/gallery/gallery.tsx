import { Screen } from '#app/components/shell/screen.tsx'
import { Actions } from './actions.tsx'
import { Fields } from './fields.tsx'
import { Figures } from './figures.tsx'
import { Lists } from './lists.tsx'
import { States } from './states.tsx'

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

/** Nothing: what is shown stands in the parts. */
export const loader = () => null

/** The forms of the gallery can be submitted without effect. */
export function action() {
  return { ok: true }
}

export const meta = () => [{ title: 'Gallery · Commonplace' }]

/** The shared components in their states, for developers. Only in development, see `routes.ts`. */
export default function Gallery() {
  return (
    <Screen isNarrow isStack title="Gallery" sub="The components that several rooms share, in their states.">
      <Actions />
      <Fields />
      <Lists />
      <States />
      <Figures />
    </Screen>
  )
}
