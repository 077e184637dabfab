import type { Language } from '../index.ts'
import { edge } from './edge.ts'
import { facts } from './facts.ts'
import { frame } from './frame.ts'
import { guide } from './guide.ts'
import { hub } from './hub.ts'
import { losses } from './losses.ts'
import { map } from './map.ts'
import { phrases } from './phrases.ts'
import { report } from './report.ts'
import { search } from './search.ts'
import { trust } from './trust.ts'

export const german: Language = {
  facts,
  hub,
  edge,
  frame,
  guide,
  phrases,
  map,
  losses,
  report,
  search,
  trust,
}
