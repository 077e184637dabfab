import { expect, test } from 'vitest'
import { getEventTags } from './events.ts'

test.each([
  ['a text of a page', { kind: 'page', placeId: 'p', payload: { id: 'x', listChanged: false } }, ['page:x']],
  [
    'the title of a page',
    { kind: 'page', placeId: 'p', payload: { id: 'x', listChanged: true } },
    ['page:x', 'pages:p', 'pages:*'],
  ],
  [
    'the settings of a source',
    { kind: 'source', placeId: 'p', payload: { id: 's' } },
    ['source:s', 'sources:p', 'sources:*', 'dataTypes:p', 'dataTypes:*'],
  ],
  ['new data', { kind: 'data', placeId: 'p', payload: { sourceId: 's', version: 2 } }, ['source:s']],
  [
    'an insight',
    { kind: 'insight', placeId: 'p', payload: { id: 'i' } },
    ['insight:i', 'insights:p', 'insights:*'],
  ],
  ['a place', { kind: 'place', placeId: 'p', payload: { id: 'p' } }, ['place:p', 'places:*']],
  ['a data type', { kind: 'dataType', placeId: null, payload: { id: 'd' } }, ['dataType:d', 'dataTypes:*']],
  [
    'of every place, told to one of them',
    { kind: 'dataType', placeId: 'oakton', payload: { id: 'call', isOfAll: true } },
    ['dataType:call', 'dataTypes:*'],
  ],
])('%s', (_what, event, tags) => expect(getEventTags(event)).toEqual(tags))
