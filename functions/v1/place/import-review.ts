import { callByName } from '../call-by-name.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as review from '#functions/domain/archive/review.ts'
import { ImportReview, SwitchedOn, SwitchOn } from '#functions/shapes/import-review.ts'

/** Review of an imported archive, for people who may export the place. Switching a thing on requires its own permission besides. */
export const importReview = {
  importReview: endpoint({
    allow: 'place.archive',
    http: { method: 'get', one: true },
    returns: ImportReview,
    summary: 'What an archive made of a place: what was left out, and what arrived switched off',
    run: review.findReview,
  }),
  trySwitchOn: endpoint({
    allow: 'place.archive',
    http: { method: 'post', one: true },
    heavy: true,
    data: SwitchOn,
    returns: SwitchedOn,
    summary: 'Say what switching on would make public or have act, and what it would refuse; change nothing',
    run: (ctx, request) => review.trySwitchOn(ctx, request, callByName),
  }),
  switchOn: endpoint({
    allow: 'place.archive',
    http: { method: 'post', one: true },
    heavy: true,
    data: SwitchOn,
    returns: SwitchedOn,
    summary: 'Make what came with an archive as it was there: public, published, enabled',
    run: (ctx, request) => review.switchOn(ctx, request, callByName),
  }),
  finishImportReview: endpoint({
    allow: 'place.archive',
    http: { method: 'post', one: true },
    returns: ImportReview,
    summary: 'Say that what came with an archive was looked at',
    run: review.finishReview,
  }),
}
