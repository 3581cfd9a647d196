// A win worth having: the cards leap from where they are gathered, fall and bounce.
const FALL = 2600;
const LONGEST = 4200;

export function cheer(host) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const box = host.getBoundingClientRect();
  const nodes = [...host.querySelectorAll('.card')].reverse().slice(0, 52);
  if (!nodes.length) return confetti(host, box);
  nodes.forEach((node, i) => {
    const from = node.getBoundingClientRect();
    const [x, y] = [from.left - box.left, from.top - box.top];
    leap(node, { x, y, floor: box.height - from.height, width: box.width - from.width }, i * 55, i);
  });
  return undefined;
}

/** The same for tables without cards. */
function confetti(host, box) {
  const tiles = Array.from({ length: 60 }, (_, i) => {
    const bit = document.createElement('i');
    bit.className = `bit bit-${i % 5}`;
    host.append(bit);
    leap(
      bit,
      { x: box.width / 2, y: box.height / 3, floor: box.height - 14, width: box.width - 14 },
      i * 12,
      i,
    );
    setTimeout(() => bit.remove(), LONGEST + 800);
    return bit;
  });
  for (const bit of tiles) bit.style.transform = `translate(${box.width / 2}px, ${box.height / 3}px)`;
}

/** One leap, reckoned ahead and given to the browser as keyframes. */
function leap(node, { x, y, floor, width }, delay, seed) {
  const at = [];
  // A sequence that looks like chance and is the same every time.
  const dice = ((seed * 2654435761) % 1000) / 1000;
  let [px, py] = [x, y];
  let [vx, vy] = [(dice - 0.5) * 900, -300 - dice * 700];
  const step = 1 / 30;
  for (let time = 0; time < LONGEST / 1000; time += step) {
    vy += FALL * step;
    px += vx * step;
    py += vy * step;
    if (py > floor) {
      py = floor;
      vy *= -0.72;
    }
    if (px < 0 || px > width) {
      vx *= -1;
      px = Math.max(0, Math.min(width, px));
    }
    at.push({ transform: `translate(${px}px, ${py}px)` });
  }
  at.push({ transform: `translate(${x}px, ${y}px)` });
  node.animate(at, { duration: LONGEST, delay, easing: 'linear' });
}
