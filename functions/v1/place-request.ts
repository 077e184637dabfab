import { endpoint } from '#functions/api/endpoint.ts'
import * as placeRequests from '#functions/domain/place-request/place-requests.ts'
import {
  NewPlaceRequest,
  OwnRequest,
  OwnRequests,
  PlaceRequest,
  PlaceRequestOptions,
  PlaceRequests,
  Reply,
} from '#functions/shapes/place-request.ts'

/** Requests for a new organization, if the operator approves them; and one's own requests. */
export const placeRequest = {
  mine: endpoint({
    allow: 'place.start',
    http: { method: 'get' },
    returns: OwnRequests,
    summary: 'What one has asked for: a new place, or to be let into one',
    run: placeRequests.findOwn,
  }),
  find: endpoint({
    allow: 'placeRequest.read',
    options: PlaceRequestOptions,
    returns: PlaceRequests,
    run: placeRequests.find,
  }),
  create: endpoint({
    allow: 'place.start',
    data: NewPlaceRequest,
    returns: OwnRequest,
    summary: 'Ask for a place of one’s own, where those are made by approval',
    run: placeRequests.create,
  }),
  withdraw: endpoint({
    allow: 'place.start',
    http: { method: 'post', one: true },
    returns: OwnRequest,
    summary: 'Take back what one has asked for',
    run: placeRequests.withdraw,
  }),
  accept: endpoint({
    allow: 'placeRequest.answer',
    http: { method: 'post', one: true },
    data: Reply,
    returns: PlaceRequest,
    summary: 'Make the place that someone asks for, with them as its administrator',
    run: placeRequests.accept,
  }),
  refuse: endpoint({
    allow: 'placeRequest.answer',
    http: { method: 'post', one: true },
    data: Reply,
    returns: PlaceRequest,
    summary: 'Refuse the place that someone asks for',
    run: placeRequests.refuse,
  }),
}
