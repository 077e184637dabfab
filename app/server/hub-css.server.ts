import { hubStyles } from 'virtual:hub-css'
import { writeCss } from '#app/theme/lean-css.ts'

/** The complete style sheet of hub pages; null in development. */
export const hubCss = hubStyles && writeCss(hubStyles)
