// Where seeds lie in a pit or a store. They never reach its edge.

/** The angle between two seeds of a sunflower. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/**
 * Places in a circle round the origin, and the radius of a seed.
 * @param {number} count
 * @param {number} radius
 * @returns {{size: number, places: [number, number][]}}
 */
export function inCircle(count, radius) {
  const size = Math.min(radius / 6, radius / (1.6 + Math.sqrt(count) * 1.15));
  const room = radius - size - 2;
  const step = Math.min(size * 2.05, room / Math.sqrt(Math.max(count - 0.6, 1)));
  const places = Array.from({ length: count }, (_, index) => {
    const distance = count === 1 ? 0 : step * Math.sqrt(index + 0.4);
    return /** @type {[number, number]} */ ([distance * Math.cos(GOLDEN * index), distance * Math.sin(GOLDEN * index)]);
  });
  // A few seeds lie round the middle.
  const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / Math.max(count, 1));
  if (count <= 6) for (const place of places) [place[0], place[1]] = [place[0] - middle[0], place[1] - middle[1]];
  return { size, places };
}

/**
 * Places in a box round the origin, in rows from its lower end.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @returns {{size: number, places: [number, number][]}}
 */
export function inBox(count, width, height) {
  let size = Math.min(width, height) / 9;
  const across = () => Math.max(1, Math.floor((width - 4) / (size * 2.2)));
  while (Math.ceil(count / across()) * size * 2.2 > height - 4) size *= 0.94;
  const columns = across();
  const places = Array.from({ length: count }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const x = (column - (columns - 1) / 2) * size * 2.2;
    return /** @type {[number, number]} */ ([x, height / 2 - 2 - size * 1.1 - row * size * 2.2]);
  });
  return { size, places };
}
