// The places of seeds in a pit or a store. Seeds never reach its edge, and all seeds of a board have one size.

/** The angle between two seeds of a sunflower. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** How far a seed is moved from its regular place, as a fraction of its radius. */
const JITTER = 0.34;

/** A number from 0 to 1 that depends on nothing but its argument. @param {number} number */
function scattered(number) {
  const wave = Math.sin(number * 127.1 + 311.7) * 43758.5453;
  return wave - Math.floor(wave);
}

/**
 * The place, moved a little, in a circle of this radius.
 * @param {number} index @param {number} salt @param {number} size @returns {[number, number]}
 */
function jitter(index, salt, size) {
  const [angle, far] = [scattered(index * 2 + salt * 97) * 2 * Math.PI, scattered(index * 2 + 1 + salt * 97) * size * JITTER];
  return [far * Math.cos(angle), far * Math.sin(angle)];
}

/**
 * Places in a circle round the origin. A pit that is full holds a heap.
 * @param {number} count
 * @param {number} radius
 * @param {number} size the radius of a seed
 * @param {number} [salt] makes pits differ
 * @returns {[number, number][]}
 */
export function inCircle(count, radius, size, salt = 0) {
  const room = radius - size * (1 + JITTER) - 2;
  const step = Math.min(size * 1.95, room / Math.sqrt(Math.max(count - 0.5, 1)));
  return Array.from({ length: count }, (_, index) => {
    const [distance, angle] = [step * Math.sqrt(index + 0.25), GOLDEN * index + salt * 1.7];
    const [x, y] = jitter(index, salt, size);
    return [distance * Math.cos(angle) + x, distance * Math.sin(angle) + y];
  });
}

/**
 * Places in a box round the origin, along its shorter side: in rows from its lower end, or in columns from its left end.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} size the radius of a seed
 * @returns {[number, number][]}
 */
export function inBox(count, width, height, size) {
  const flat = width > height;
  const [long, short] = [Math.max(width, height), Math.min(width, height)].map((side) => side - 2 * size * (1 + JITTER));
  // The steps get smaller until all seeds have a place.
  let step = size * 2.05;
  const acrossAt = () => Math.floor(short / step) + 1;
  while (Math.ceil(count / acrossAt()) > Math.floor(long / (step * 0.92)) + 1) step *= 0.96;
  const across = acrossAt();
  return Array.from({ length: count }, (_, index) => {
    const [place, line] = [index % across, Math.floor(index / across)];
    const [x, y] = jitter(index, 5, size);
    const shift = across > 1 ? step * (line % 2 ? 0.22 : -0.22) : 0;
    const aside = Math.max(-short / 2, Math.min(short / 2, (place - (across - 1) / 2) * step + shift));
    const along = line * step * 0.92 - long / 2;
    return flat ? [along + x, y - aside] : [aside + x, y - along];
  });
}
